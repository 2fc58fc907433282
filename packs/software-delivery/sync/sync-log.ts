// Synchronizes the log with the shared log of the remote: reads what other clones published, then publishes what waits here. If
// another clone is faster, it reads again first. After a crash, the next call continues, because a clone recognizes its own events.
import {randomUUID} from 'node:crypto';
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import type {DoneContext} from '../done/check-work.ts';
import {stampOf, type DeliveryEvent} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {Slice} from '../events/slice.ts';
import {planImport, type Incoming} from './plan-import.ts';
import type {SharedEvent} from './shared-event.ts';
import {fetchLog, pushLog} from './shared-log.ts';
import {removeSpecs} from './remove-specs.ts';
import {settleTasks} from './settle-tasks.ts';
import {workUnitSlice} from '../work-units/work-unit-slice.ts';
import {writeSharedSpecs} from './write-shared-specs.ts';
import {syncSlice, type SyncConflict, type SyncState} from './sync-slice.ts';

export interface SyncedLog {
  /** Number of events from other clones. */
  readonly received: number;
  readonly published: number;
  /** Found by this call. */
  readonly conflicts: readonly SyncConflict[];
  /** Lines of other clones that are not valid events. */
  readonly skipped: number;
}

export interface SyncRequest {
  readonly remote: string;
  /** The work unit that the calling session claims now. */
  readonly claiming?: string;
  /** Publish without reading first, because that has just happened. If another clone was faster, it is read after all. */
  readonly publish_only?: boolean;
}

const attemptsMax = 10;

/** All events may be appended with it. */
const anySlice = syncSlice as unknown as Slice<SyncState, DeliveryEvent>;

/** Throws ToolErrors of the remote, SHARED_LOG_REWRITTEN and SHARED_LOG_CONTENDED. */
export async function syncLog(
  context: DoneContext,
  log: DeliveryLog,
  {remote, claiming, publish_only: publishOnly = false}: SyncRequest,
): Promise<SyncedLog> {
  const clone = await cloneId(context);
  const known = {clone, hasTask: !publishOnly, stamp: stampOf(context), ...(claiming !== undefined && {claiming})};
  let total: SyncedLog = {received: 0, published: 0, conflicts: [], skipped: 0};
  let isRead = publishOnly;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    if (!isRead) {
      const {tip: since} = await log.read(syncSlice);
      const {tip, events, skipped} = await fetchLog(context, remote, since);
      if (tip !== null && tip !== since)
        total = add(total, await take(context, log, {...known, since, tip, events}), skipped);
    }
    const {pending, tip} = await log.read(syncSlice);
    if (pending.length === 0) return total;
    const events = pending.map((event): SharedEvent => ({...event, origin: clone}));
    const {pushed, commit} = await pushLog(context, {remote, tip, lines: events.map((event) => JSON.stringify(event))});
    if (pushed) total = add(total, await take(context, log, {...known, since: tip, tip: commit, events}), 0);
    isRead = pushed;
  }
  throw new ToolError(
    'SHARED_LOG_CONTENDED',
    `other clones published ${attemptsMax} times during this call: try again`,
    {retryable: true},
  );
}

interface Taking extends Incoming {
  /** The tip that the events follow. */
  readonly since: string | null;
  /** False if the session's task may have ended: then the kernel's tasks cannot be changed. */
  readonly hasTask: boolean;
}

/** Appends what the shared log contains after `since`. */
async function take(
  context: DoneContext,
  log: DeliveryLog,
  {since, hasTask, ...incoming}: Taking,
): Promise<Omit<SyncedLog, 'skipped'>> {
  const {clone, events} = incoming;
  const before = await log.read(workUnitSlice);
  const conflicts = await log.decide(anySlice, (state) => {
    // Another call of this clone has read it in between.
    if (state.tip !== since) return {events: [], result: []};
    const plan = planImport(state, incoming);
    return {events: plan.events, result: plan.conflicts};
  });
  const foreign = events.filter(({origin}) => origin !== clone);
  if (foreign.length > 0) {
    await writeSharedSpecs(context, foreign, before);
    const after = await log.read(workUnitSlice);
    await removeSpecs(context, foreign, {...before.units, ...after.units});
    if (hasTask) await settleTasks(context, foreign, after);
  }
  return {received: foreign.length, published: events.length - foreign.length, conflicts};
}

function add(a: SyncedLog, b: Omit<SyncedLog, 'skipped'>, skipped: number): SyncedLog {
  return {
    received: a.received + b.received,
    published: a.published + b.published,
    conflicts: [...a.conflicts, ...b.conflicts],
    skipped: a.skipped + skipped,
  };
}

/** The name of this clone in the shared log. */
async function cloneId({state}: DoneContext): Promise<string> {
  const text = state('clone');
  const found = await text.read();
  if (found !== undefined) return found.text;
  try {
    await text.write(randomUUID(), {expect: null});
  } catch (error) {
    if (!isToolError(error) || error.code !== 'CONFLICT') throw error;
  }
  return (await text.read())?.text ?? '';
}
