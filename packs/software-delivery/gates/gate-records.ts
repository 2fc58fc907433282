// The log slice of gates: the latest runs, and which gate passed on which tree, so that it need not run again.
import type {Slice} from '../events/slice.ts';
import type {GatesRecorded} from './gate-event.ts';

export interface Pass {
  /** Receipt of the run. */
  readonly receipt_id: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface GateRecords {
  /** Latest run last. */
  readonly runs: GatesRecorded[];
  /** By `passKey`, in the order of the passes. */
  readonly passes: Record<string, Pass>;
}

const runsMax = 200;
const passesMax = 2000;

export function passKey(treeHash: string, gateHash: string): string {
  return `${treeHash} ${gateHash}`;
}

export const gateRecords: Slice<GateRecords, GatesRecorded> = {
  name: 'gates',
  version: 1,
  initial: {runs: [], passes: {}},
  evolve(state, event) {
    if (event.type !== 'gates_recorded') return state;
    state.runs.push(event);
    if (state.runs.length > runsMax) state.runs.shift();
    for (const gate of event.gates) {
      if (hasRun(gate) && gate.passed) addPass(state.passes, passKey(event.tree_hash, gate.gate_hash), event);
    }
    return state;
  },
};

function hasRun({cached_from, waived, skipped, not_triggered}: GatesRecorded['gates'][number]): boolean {
  return [cached_from, waived, skipped, not_triggered].every((why) => why === undefined);
}

function addPass(passes: Record<string, Pass>, key: string, {receipt_id, at}: GatesRecorded): void {
  passes[key] = {receipt_id, at};
  const keys = Object.keys(passes);
  if (keys.length <= passesMax) return;
  for (const old of keys.slice(0, keys.length - passesMax)) delete passes[old];
}
