// Synchronizes the log with the shared log of the remote: reads what other clones published, then publishes what waits here. If
// another clone is faster, it reads again first. After a crash, the next call continues, because a clone recognizes its own events.
import {randomUUID} from 'node:crypto';
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import type {DoneContext} from '../done/check-work.ts';
import {stampOf, type DeliveryEvent} from '../events/delivery-event.ts';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {Slice} from '../events/slice.ts';
import {planImport} from './plan-import.ts';
import {fetchLog, pushLog} from './shared-log.ts';
import {writeMissingSpecs} from './write-missing-specs.ts';
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
}

const attemptsMax = 10;

/** All events may be appended with it. */
const anySlice = syncSlice as unknown as Slice<SyncState, DeliveryEvent>;

/** Throws ToolErrors of the remote, SHARED_LOG_REWRITTEN and SHARED_LOG_CONTENDED. */
export async function syncLog(
  context: DoneContext,
  log: DeliveryLog,
  {remote, claiming}: SyncRequest,
): Promise<SyncedLog> {
  const clone = await cloneId(context);
  let total: SyncedLog = {received: 0, published: 0, conflicts: [], skipped: 0};
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const {tip: since} = await log.read(syncSlice);
    const {tip, events, skipped} = await fetchLog(context, remote, since);
    if (tip !== null && tip !== since) {
      const incoming = {tip, events, clone, stamp: stampOf(context), ...(claiming !== undefined && {claiming})};
      const conflicts = await log.decide(anySlice, (state) => {
        // Another call of this clone has read it in between.
        if (state.tip !== since) return {events: [], result: []};
        const plan = planImport(state, incoming);
        return {events: plan.events, result: plan.conflicts};
      });
      const foreign = events.filter(({origin}) => origin !== clone);
      await writeMissingSpecs(context, foreign);
      const received = foreign.length;
      total = {
        received: total.received + received,
        published: total.published + events.length - received,
        conflicts: [...total.conflicts, ...conflicts],
        skipped: total.skipped + skipped,
      };
    }
    const {pending, tip: read} = await log.read(syncSlice);
    if (read !== tip) continue;
    if (pending.length === 0) return total;
    const lines = pending.map((event) => JSON.stringify({...event, origin: clone}));
    // Whether it was pushed or not, the next round reads what is there.
    await pushLog(context, {remote, tip, lines});
  }
  throw new ToolError(
    'SHARED_LOG_CONTENDED',
    `other clones published ${attemptsMax} times during this call: try again`,
    {
      retryable: true,
    },
  );
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
