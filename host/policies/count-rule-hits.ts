// How often each rule matched recorded calls, and how often it decided them; rules that never matched included.
import type {CompiledWorkspace, EvidenceFilter, KernelRuntime} from '@lumenflow/kernel';
import type {HttpRuleHit, HttpRuleHits, PolicyOutcome} from '@lumenflow/schemas';
import {eachReceipt} from '../receipts/each-receipt.ts';

/** Calls that one question reads. */
const callsMax = 20_000;
const strictness: readonly PolicyOutcome[] = ['allow', 'approval_required', 'deny'];

/** In order of layers: workspace, lanes, packs. */
export async function countRuleHits(
  runtime: Pick<KernelRuntime, 'evidence' | 'workspace'>,
  window: Pick<EvidenceFilter, 'since' | 'until'>,
): Promise<HttpRuleHits> {
  const rules = rulesOf(runtime.workspace);
  const byName = new Map<string, HttpRuleHit[]>();
  for (const rule of rules) {
    const key = `${rule.layer} ${rule.rule_id}`;
    byName.set(key, [...(byName.get(key) ?? []), rule]);
  }
  let calls = 0;
  for await (const {receipt_id, started} of eachReceipt(runtime, window)) {
    if (calls === callsMax) return {calls, is_complete: false, rules};
    calls += 1;
    const decisions = started.policy_decisions ?? [];
    const strictest = Math.max(-1, ...decisions.map(({decision}) => strictness.indexOf(decision)));
    for (const said of decisions) {
      const candidates = byName.get(`${said.layer} ${said.rule_id}`) ?? [];
      const rule = candidates.find(({layer, of}) => layer !== 'lane' || of === started.lane_id);
      if (rule === undefined) continue;
      rule.receipt_id ??= receipt_id;
      rule.matched += 1;
      if (strictness.indexOf(said.decision) === strictest) rule.decided += 1;
    }
  }
  return {calls, is_complete: true, rules};
}

function rulesOf({spec, packs}: CompiledWorkspace): HttpRuleHit[] {
  const zero = {matched: 0, decided: 0};
  return [
    ...(spec.policies?.rules ?? []).map(({id, trigger, decision}) => ({
      rule_id: id,
      layer: 'workspace' as const,
      of: spec.id,
      trigger,
      decision,
      ...zero,
    })),
    ...spec.lanes.flatMap((lane) =>
      (lane.policies?.rules ?? []).map(({id, trigger, decision}) => ({
        rule_id: id,
        layer: 'lane' as const,
        of: lane.id,
        trigger,
        decision,
        ...zero,
      })),
    ),
    ...[...packs.values()].flatMap(({manifest, rules}) =>
      rules.map(({rule: {id, trigger, decision}}) => ({
        rule_id: id,
        layer: 'pack' as const,
        of: manifest.id,
        trigger,
        decision,
        ...zero,
      })),
    ),
  ];
}
