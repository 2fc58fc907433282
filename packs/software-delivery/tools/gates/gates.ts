// gates runs the configured gates on the current files or on a commit. The pack's policy reads the output from evidence when the
// task is completed.
import {defineTool, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {DeliveryLog} from '../../events/delivery-log.ts';
import {boundReport, hasPassed, type GateReport, type GateResult} from '../../gates/gate-report.ts';
import {planGates, type Gate} from '../../gates/plan-gates.ts';
import {passesOn, recordRun} from '../../gates/record-run.ts';
import {unrunGate} from '../../gates/run-gate.ts';
import {configHash} from '../../gates/config-hash.ts';
import {runGatesInOrder} from '../../gates/run-gates-in-order.ts';
import {selectGates} from '../../gates/select-gates.ts';
import {withTreeCopy, type TreeCopy} from '../../gates/with-tree-copy.ts';
import {changedPaths, forkPoint} from '../../git/changed-paths.ts';
import type {PackConfig} from '../../pack-config.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

interface Waiver {
  readonly gate: string;
  readonly reason: string;
}

interface GatesInput {
  /** Names of gates. Default: all. */
  readonly only?: readonly string[];
  /** Skip the remaining gates after a failure of a non-optional gate. */
  readonly fail_fast?: boolean;
  /** A commit to check instead of the current files. */
  readonly commit?: string;
  /** Also run gates that already passed on this tree. */
  readonly fresh?: boolean;
  /** Gates to skip: the call then needs an approval. */
  readonly skip?: readonly Waiver[];
  /** Confirms a run on the person's own checkout outside a work unit. */
  readonly main_checkout?: boolean;
  /** Report which gates would run on which tree. */
  readonly dry_run?: boolean;
}

interface GatesOutput extends GateReport {
  /** Directory that was checked, relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  readonly dry_run: boolean;
}

type Context = ToolContext<PackConfig>;

export const gates: ToolDefinition<GatesInput, GatesOutput, PackConfig> = defineTool({
  async run(input, call) {
    const {only, skip = [], commit, main_checkout: meant, dry_run = false} = input;
    // A commit is read from git's objects, so no checkout is touched.
    const {context, root} = await inWritableCheckout(call, meant === true || commit !== undefined);
    const planned = planGates(call.config);
    const selected = await selectGates(context.fs, planned, {only, skipped: skip.map(({gate}) => gate)});
    const log = openDeliveryLog(call);
    const source = {context, workspace: call, commit};
    const {results, tree_hash} = await withTreeCopy(source, async (copy) => ({
      results: dry_run
        ? selected.map((gate) => unrunGate(gate, {}))
        : await runOn(context, {input, selected, copy, log}),
      tree_hash: copy.tree_hash,
    }));
    const config_hash = await configHash(planned);
    const report = {passed: !dry_run && hasPassed(results), gates: results, tree_hash, config_hash};
    if (!dry_run) await recordRun(log, call, report, selected);
    return {...boundReport(report), root, dry_run};
  },
});

interface Run {
  readonly input: GatesInput;
  readonly selected: readonly Gate[];
  readonly copy: TreeCopy;
  readonly log: DeliveryLog;
}

async function runOn(context: Context, {input, selected, copy, log}: Run): Promise<readonly GateResult[]> {
  return await runGatesInOrder(context, {
    gates: selected,
    copy,
    changedPaths: async () => {
      const from = await forkPoint(context, context.config, input.commit ?? 'HEAD');
      return await changedPaths(context, from, copy.tree_hash, {env: copy.env});
    },
    passes: input.fresh === true ? {} : await passesOn(log, copy.tree_hash, selected),
    waived: Object.fromEntries((input.skip ?? []).map(({gate, reason}) => [gate, reason])),
    fail_fast: input.fail_fast === true,
  });
}
