// Runs gates in order on a copy of a tree. Skips gates that already passed on it, that no changed path triggers, or that a person
// waived.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {compileGlob} from '../files/match-glob.ts';
import {sha256Hex} from '../files/sha256-hex.ts';
import {isSettled, type GateResult} from './gate-report.ts';
import {passKey, type Pass} from './gate-records.ts';
import type {Gate} from './plan-gates.ts';
import {runGate, unrunGate} from './run-gate.ts';
import type {TreeCopy} from './with-tree-copy.ts';

export interface GatesToRun {
  readonly gates: readonly Gate[];
  readonly copy: TreeCopy;
  /** Paths that the work has changed. Called only if a gate depends on them. */
  changedPaths(): Promise<readonly string[]>;
  /** By `passKey`. */
  readonly passes: Readonly<Record<string, Pass>>;
  /** Skipped gates, with the reasons. */
  readonly waived: Readonly<Record<string, string>>;
  readonly fail_fast: boolean;
}

type GateContext = Pick<ToolContext, 'exec' | 'progress' | 'signal'>;

export async function runGatesInOrder(context: GateContext, run: GatesToRun): Promise<readonly GateResult[]> {
  const results: GateResult[] = [];
  for (const [index, gate] of run.gates.entries()) {
    context.signal.throwIfAborted();
    const failed = results.some((result) => !isSettled(result));
    const unrun = run.fail_fast && failed ? unrunGate(gate, {skipped: true}) : await whyNotToRun(gate, run);
    if (unrun !== undefined) {
      results.push(unrun);
      continue;
    }
    const of = {gate: gate.name, index: index + 1, total: run.gates.length};
    await context.progress({...of, state: 'started', ...(gate.guidance !== undefined && {guidance: gate.guidance})});
    const result = await runGate(context, gate, run.copy.path);
    results.push(result);
    await context.progress({...of, state: 'finished', passed: result.passed, duration_ms: result.duration_ms});
  }
  return results;
}

/** Hash of what a gate runs. A result counts only for the same hash. */
export async function gateHash({name, command, timeout_ms, coverage}: Gate): Promise<string> {
  return await sha256Hex(JSON.stringify([name, command, timeout_ms, coverage ?? null]));
}

async function whyNotToRun(gate: Gate, run: GatesToRun): Promise<GateResult | undefined> {
  const waived = run.waived[gate.name];
  if (waived !== undefined) return unrunGate(gate, {waived});
  if (gate.trigger_patterns !== undefined && !(await isTriggered(gate.trigger_patterns, run))) {
    return unrunGate(gate, {not_triggered: true});
  }
  const pass = run.passes[passKey(run.copy.tree_hash, await gateHash(gate))];
  return pass === undefined ? undefined : unrunGate(gate, {cached_from: pass.receipt_id});
}

async function isTriggered(patterns: readonly string[], {changedPaths}: GatesToRun): Promise<boolean> {
  const matchers = patterns.map(compileGlob);
  return (await changedPaths()).some((path) => matchers.some((matches) => matches(path)));
}
