// The calls that a legal hold covers, and their contents.
import type {HeldCalls} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {EvidenceFilter, Receipt} from '../ports.ts';
import {contentsOf} from './contents-of.ts';
import type {Hold} from '../retention/retention.ts';

const callsAtOnce = 500;

/** All calls that a filter finds, newest first. */
export async function* callsIn(kernel: Kernel, filter: EvidenceFilter): AsyncGenerator<Receipt, void> {
  let before_seq = filter.before_seq;
  do {
    const page = await kernel.ports.evidence.read({...filter, before_seq, limit: callsAtOnce});
    yield* page.receipts;
    before_seq = page.next_before_seq;
  } while (before_seq !== undefined);
}

/** The legal holds that keep one of these contents, which several calls can share. Without any, nothing is read. */
export async function holdsOn(kernel: Kernel, hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, Hold>> {
  const found = new Map<string, Hold>();
  for (const hold of kernel.state.retention.holds) {
    for await (const receipt of callsIn(kernel, filterOf(hold.covers))) {
      if (!isCovered(kernel, hold.covers, receipt)) continue;
      for (const hash of await contentsOf(kernel, receipt)) if (hashes.has(hash)) found.set(hash, hold);
    }
  }
  return found;
}

/** A lane is not part of it: the tasks' records say which calls are in one. */
function filterOf({task_id, session_id, tool_name, since, until}: HeldCalls): EvidenceFilter {
  return {
    ...(task_id !== undefined && {task_id}),
    ...(session_id !== undefined && {session_id}),
    ...(tool_name !== undefined && {tool_name}),
    ...(since !== undefined && {since}),
    ...(until !== undefined && {until}),
  };
}

function isCovered({state}: Kernel, {lane_id}: HeldCalls, {started}: Receipt): boolean {
  return lane_id === undefined || state.tasks.get(started.task_id)?.lane_id === lane_id;
}
