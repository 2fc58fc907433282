// Gates as policy. A task can be completed only if every required gate, as currently configured, passed on its tree; a work unit
// with a worktree also needs a merge. The rules read recorded evidence, never an agent's claims. `wu:verify` reports the tree;
// the kernel calls it first.
import {definePolicyFactory, type PolicyRule, type PolicyFactory, type TaskEvidence} from '@lumenflow/pack-sdk';
import type {VerifiedTree} from '../done/verify-tree.ts';
import type {GateReport, GateResult} from '../gates/gate-report.ts';
import {planGates, type Gate} from '../gates/plan-gates.ts';
import type {PackConfig} from '../pack-config.ts';
import {briefRules} from './brief-rules.ts';

export const gatePolicy: PolicyFactory<PackConfig> = definePolicyFactory(({config}) => [
  verifiedRule,
  mergedRule,
  ...briefRules(config),
  ...planGates(config)
    .filter(({optional}) => !optional)
    .map(gateRule),
]);

/** First, because no other reason is true then. */
const verifiedRule: PolicyRule = {
  id: 'software-delivery.verified',
  trigger: 'on_completion',
  decision: 'deny',
  reason: '`wu:verify` could not determine the current files: `lumenflow evidence list --tool wu:verify` shows why',
  when({evidence}) {
    const last = evidence?.findLast(isVerification);
    return last !== undefined && last.result !== 'success';
  },
};

const mergedRule: PolicyRule = {
  id: 'software-delivery.merged',
  trigger: 'on_completion',
  decision: 'deny',
  reason: 'the work in the worktree is not merged: run `wu:done` to merge and complete it',
  when: ({evidence}) => dataOf<VerifiedTree>('wu:verify', evidence?.findLast(isVerification))?.subject === 'worktree',
};

function gateRule(gate: Gate): PolicyRule {
  return {
    id: `software-delivery.gate.${gate.name}`,
    trigger: 'on_completion',
    decision: 'deny',
    reason: `gate \`${gate.name}\` has not passed on the current files: run the \`gates\` tool, then complete the task`,
    when: ({evidence}) => !hasPassed(gate, evidence ?? []),
  };
}

/** The latest run of the gate on the tree decides: a pass before a failure does not count. */
function hasPassed(gate: Gate, evidence: readonly TaskEvidence[]): boolean {
  const verified = dataOf<VerifiedTree>('wu:verify', evidence.findLast(isVerification));
  const results = evidence.flatMap((call) => resultsOn(verified, dataOf<GateReport>('gates', call)));
  const last = results.findLast(({name, skipped}) => name === gate.name && skipped !== true);
  return last?.command === gate.command && (last.passed === true || last.waived !== undefined);
}

/** The results for a tree and a config. Evidence is data, so its shape is checked. */
function resultsOn(
  verified: Partial<VerifiedTree> | undefined,
  report: Partial<GateReport & {readonly dry_run: boolean}> | undefined,
): readonly Partial<GateResult>[] {
  if (verified === undefined || report?.dry_run !== false || !Array.isArray(report.gates)) return [];
  const {tree_hash: tree, config_hash: config} = verified;
  const isSame = typeof tree === 'string' && report.tree_hash === tree && report.config_hash === config;
  return isSame && typeof config === 'string' ? report.gates : [];
}

/** Without its output, the tree is unknown. */
function isVerification({tool_name: name}: TaskEvidence): boolean {
  return name === 'wu:verify';
}

function dataOf<T>(tool: string, call: TaskEvidence | undefined): Partial<T> | undefined {
  if (call?.tool_name !== tool || call.result !== 'success') return undefined;
  return typeof call.data === 'object' && call.data !== null ? call.data : undefined;
}
