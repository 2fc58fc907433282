// What may contain text that others wrote: sessions, tasks and stores of packs, folded from the event log. So all processes of a workspace
// know it, and a restart does not forget it.
import type {EvidenceSalvaged, TaintAdded, TaintSource, TaskClaimed} from '@lumenflow/schemas';
import type {RecordTable} from '../records/record-table.ts';
import {salvageSource} from './salvage-source.ts';

/** How something was tainted. */
export interface TaintOrigin extends TaintSource {
  /** By a call outside of it, so that its own records do not show what was read. */
  readonly inherited?: true;
}

export type TaintTable = RecordTable<readonly TaintOrigin[]>;

export interface Taint {
  /** Of a `session ID`, the `programs ID` that a session started, a `task ID`, a `store PACK/NAME` or an `actor NAME`; empty if it is clean. */
  of(name: string): readonly TaintOrigin[];
}

/** What a call reads and reaches. */
export interface TaintFlow {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** The call itself, if its tool returns what others wrote. */
  readonly source?: TaintSource | undefined;
}

export function applyTaint(table: TaintTable, {receipt_id, taints}: TaintAdded): void {
  for (const {of, source} of taints) {
    const origin: TaintOrigin = source.receipt_id === receipt_id ? source : {...source, inherited: true};
    table.set(of, [...(table.get(of) ?? []), origin]);
  }
}

/** A session that claims a task reads its description, also without a call. */
export function applyClaim(table: TaintTable, {task_id, session_id}: TaskClaimed): void {
  const taint = taintIn(table);
  const session = `session ${session_id}`;
  for (const {source} of missingTaint(taint, {from: [`task ${task_id}`], to: [session]})) {
    table.set(session, [...taint.of(session), {...source, inherited: true}]);
  }
}

/** The names of stores are not known here, so one row is for all of them. */
const everyStore = 'every store';

export function taintIn(table: Pick<TaintTable, 'get'>): Taint {
  return {
    of(name) {
      const known = table.get(name) ?? [];
      return name.startsWith('store ') ? [...known, ...(table.get(everyStore) ?? [])] : known;
    },
  };
}

/** A task, and the session that claimed it last. */
interface ClaimableTask {
  readonly task_id: string;
  readonly run?: {readonly session_id: string};
}

/** What tainted the sessions, tasks and stores so far may be among the lost events, so all of them count as tainted. */
export function applySalvage(table: TaintTable, event: EvidenceSalvaged, tasks: Iterable<ClaimableTask>): void {
  const origin: TaintOrigin = {tool_name: salvageSource, receipt_id: event.id, inherited: true};
  const sessions = new Set(event.sessions);
  const names = new Set([everyStore]);
  for (const {task_id, run} of tasks) {
    names.add(`task ${task_id}`);
    if (run) sessions.add(run.session_id);
  }
  for (const session of sessions) names.add(`session ${session}`).add(`programs ${session}`);
  for (const name of names) table.set(name, [...(table.get(name) ?? []), origin]);
}

/**
 * What the flow adds to what is known already. Of each tool, at most two origins are kept: its own call, and a call elsewhere. So
 * the facts are bounded, however many calls are made.
 */
export function missingTaint(taint: Taint, {from, to, source}: TaintFlow): TaintAdded['taints'][number][] {
  const origins = from.flatMap((name) => taint.of(name));
  // Most calls add nothing.
  if (origins.length === 0 && source === undefined) return [];
  return to.flatMap((of) => {
    const known = [...taint.of(of)];
    const add = (origin: TaintOrigin, covers: (other: TaintOrigin) => boolean): readonly TaintOrigin[] => {
      if (known.some((other) => other.tool_name === origin.tool_name && covers(other))) return [];
      known.push(origin);
      return [origin];
    };
    const inherited = origins.flatMap(({tool_name, receipt_id}) =>
      add(
        {tool_name, receipt_id, inherited: true},
        (other) => other.inherited === true || other.receipt_id === receipt_id,
      ),
    );
    const own = source === undefined ? [] : add(source, (other) => other.inherited !== true);
    return [...inherited, ...own].map(({tool_name, receipt_id}) => ({of, source: {tool_name, receipt_id}}));
  });
}
