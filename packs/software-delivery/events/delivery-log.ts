// The pack's append-only log. Events are appended only if the log has not changed since the state they were decided on. So two
// concurrent writers never both succeed, in any process.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from './delivery-event.ts';
import {foldLog, foldOn, foldTogether, openLogTexts, type Folded} from './fold-log.ts';
import type {Slice} from './slice.ts';
import {writeSnapshot} from './snapshot.ts';

export interface Decision<Event extends DeliveryEvent, Result> {
  /** Empty if nothing changes; then nothing is written. */
  readonly events: readonly Event[];
  readonly result: Result;
}

export interface DeliveryLog {
  /** The slice's current state. Throws ToolError LOG_DAMAGED. */
  read<State, Event extends DeliveryEvent>(slice: Slice<State, Event>): Promise<State>;
  /** The states of several slices at one point, for which the log is read once. */
  readTogether<State, Event extends DeliveryEvent>(slices: readonly Slice<State, Event>[]): Promise<readonly State[]>;
  /**
   * Appends the events that `decide` returns for the state, all or none. After a conflict, `decide` runs again on the new state.
   * It must not change the state, and its errors are passed on. Throws ToolError LOG_CONTENDED and LOG_DAMAGED.
   */
  decide<State, Event extends DeliveryEvent, Result>(
    slice: Slice<State, Event>,
    decide: (state: State) => Decision<NoInfer<Event>, Result>,
  ): Promise<Result>;
}

export interface DeliveryLogOptions {
  /** Every slice of the pack. Snapshots stay fresh even for slices that only read tools use. */
  readonly slices: readonly Slice<unknown, never>[];
  /** Bytes of log growth after which snapshots are rewritten; default 256 KiB. */
  readonly snapshotBytes?: number;
}

/** What the log needs of a call's context. */
export type LogContext = Pick<ToolContext, 'state' | 'log'>;

const attemptsMax = 100;

export function createDeliveryLog(
  context: LogContext,
  {slices, snapshotBytes = 256 * 1024}: DeliveryLogOptions,
): DeliveryLog {
  const texts = openLogTexts(context.state);
  const {events} = texts;

  async function append(lines: readonly string[], expect: string): Promise<{readonly size: number} | undefined> {
    try {
      return await events.append(lines, {expect});
    } catch (error) {
      if (isToolError(error) && error.code === 'CONFLICT') return undefined;
      throw error;
    }
  }

  /** The events are already appended. A snapshot that cannot be written costs time, but undoes nothing. */
  async function attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      context.log.warn(`${what} not written: ${String(error)}`);
    }
  }

  async function refreshAll(): Promise<void> {
    await attempt('the snapshots were', async () => {
      for (const [at, folded] of (await foldTogether(texts, slices)).entries()) {
        const slice = slices[at];
        // Half the distance is enough. Otherwise a slice that is slightly too fresh would wait for twice as long.
        if (slice === undefined || folded.offset - folded.snapshotOffset < snapshotBytes / 2) continue;
        await attempt(`the snapshot of \`${slice.name}\` was`, async () => {
          await writeSnapshot(texts.snapshot(slice.name), slice, folded);
        });
      }
    });
  }

  return {
    read: async (slice) => (await foldLog(texts, slice)).state,
    readTogether: async (slices) => (await foldTogether(texts, slices)).map(({state}) => state),
    async decide(slice, decide) {
      let folded = await foldLog(texts, slice);
      for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
        const decision = decide(folded.state);
        if (decision.events.length === 0) return decision.result;
        const appended = await append(
          decision.events.map((event) => JSON.stringify(event)),
          folded.version,
        );
        if (appended !== undefined) {
          if (crosses(snapshotBytes, folded, appended)) await refreshAll();
          return decision.result;
        }
        folded = await foldOn(events, slice, folded);
      }
      throw new ToolError(
        'LOG_CONTENDED',
        `other calls changed the delivery log ${attemptsMax} times during this call: try again`,
      );
    },
  };
}

/** True after a fixed number of bytes, and immediately if a long log was replayed without a snapshot. */
function crosses(bytes: number, {offset, snapshotOffset}: Folded<unknown>, {size}: {readonly size: number}): boolean {
  return Math.floor(size / bytes) > Math.floor(offset / bytes) || size - snapshotOffset > 2 * bytes;
}
