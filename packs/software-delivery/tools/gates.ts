// gates: runs the configured commands on the working tree as it is. Its output, kept as evidence, is what the pack's
// policy looks for when the task is to be completed.
import {defineTool, ToolError, type ToolContext, type ToolDefinition} from '@lumenflow/pack-sdk';
import {sha256Hex} from '../files/sha256-hex.ts';
import {boundReport, type GateReport, type GateResult} from '../gates/gate-report.ts';
import {planGates, type Gate} from '../gates/plan-gates.ts';
import {runGate, skippedGate} from '../gates/run-gate.ts';
import {hashWorkingTree} from '../git/stage-files.ts';
import type {PackConfig} from '../pack-config.ts';

interface GatesInput {
  /** Names of gates; default all. */
  readonly only?: readonly string[];
  /** Skips what follows a failed gate that is not optional. */
  readonly fail_fast?: boolean;
}

export const gates: ToolDefinition<GatesInput, GateReport, PackConfig> = defineTool({
  async run(input, context) {
    const planned = planGates(context.config);
    const selected = selectGates(planned, input.only);
    const treeHash = await hashWorkingTree(context);
    const results = await runGates(context, selected, input.fail_fast === true);
    const treeChanged = (await hashWorkingTree(context)) !== treeHash;
    return boundReport({
      passed: !treeChanged && results.every(({passed, optional}) => passed || optional),
      gates: results,
      tree_hash: treeHash,
      tree_changed: treeChanged,
      config_hash: await sha256Hex(JSON.stringify(planned.map(({name, command, ...rest}) => [name, command, rest]))),
    });
  },
});

/** No gate at all is a failure: nothing would have been checked. */
function selectGates(planned: readonly Gate[], only: readonly string[] | undefined): readonly Gate[] {
  const configured = planned.map(({name}) => name);
  const unknown = only?.filter((name) => !configured.includes(name)) ?? [];
  if (unknown.length > 0) {
    const message = `no gate is configured as \`${unknown.join('`, `')}\``;
    throw new ToolError('UNKNOWN_GATE', message, {unknown, configured});
  }
  const selected = planned.filter(({name}) => only?.includes(name) ?? true);
  if (selected.length > 0) return selected;
  throw new ToolError(
    'NO_GATES_CONFIGURED',
    'no gate would run: set `software_delivery.gates.commands` in workspace.yaml',
    {configured},
  );
}

async function runGates(
  context: ToolContext<PackConfig>,
  selected: readonly Gate[],
  failFast: boolean,
): Promise<readonly GateResult[]> {
  const results: GateResult[] = [];
  for (const [index, gate] of selected.entries()) {
    context.signal.throwIfAborted();
    const of = {gate: gate.name, index: index + 1, total: selected.length};
    if (failFast && results.some(({passed, optional}) => !passed && !optional)) {
      results.push(skippedGate(gate));
      continue;
    }
    await context.progress({...of, state: 'started'});
    const result = await runGate(context, gate);
    results.push(result);
    await context.progress({...of, state: 'finished', passed: result.passed, duration_ms: result.duration_ms});
  }
  return results;
}
