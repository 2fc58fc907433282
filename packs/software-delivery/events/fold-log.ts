// The slices' states at the end of the log: their snapshots plus the events since, which are read once for all slices.
import {isToolError, type PackState} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from './delivery-event.ts';
import {parseEvent} from './parse-event.ts';
import type {Slice} from './slice.ts';
import {readSnapshot, snapshotName, type Snapshot} from './snapshot.ts';

export interface Folded<State> {
  readonly state: State;
  /** Bytes of the log that the state covers. */
  readonly offset: number;
  /** The log's version at that offset. Appends build on it. */
  readonly version: string;
  /** The end of the snapshot that the fold started from. */
  readonly snapshotOffset: number;
}

/** The log, and the snapshots of its slices. */
export interface LogTexts {
  readonly events: PackState;
  snapshot(name: string): PackState;
}

export function openLogTexts(state: (name: string) => PackState): LogTexts {
  return {events: state('events'), snapshot: (name) => state(snapshotName(name))};
}

/** Throws ToolError LOG_DAMAGED. */
export async function foldLog<State, Event extends DeliveryEvent>(
  texts: LogTexts,
  slice: Slice<State, Event>,
): Promise<Folded<State>> {
  const [folded] = await foldTogether(texts, [slice]);
  return folded as Folded<State>;
}

/** One for each slice, in the same order. Throws ToolError LOG_DAMAGED. */
export async function foldTogether<State, Event extends DeliveryEvent>(
  texts: LogTexts,
  slices: readonly Slice<State, Event>[],
): Promise<readonly Folded<State>[]> {
  if (slices.length === 0) return [];
  const found = await Promise.all(slices.map(async (slice) => await readSnapshot(texts.snapshot(slice.name), slice)));
  const starts = slices.map(({initial}, at) => found[at] ?? {offset: 0, state: structuredClone(initial)});
  const folded = await foldOnFrom(texts.events, slices, starts);
  if (folded !== undefined) return folded;
  // A snapshot belongs to a different log.
  const anew = slices.map(({initial}) => ({offset: 0, state: structuredClone(initial)}));
  return (await foldOnFrom(texts.events, slices, anew)) ?? [];
}

/** Reads the events that were appended since. */
export async function foldOn<State, Event extends DeliveryEvent>(
  events: PackState,
  slice: Slice<State, Event>,
  {state: before, offset, snapshotOffset}: Omit<Folded<State>, 'version'>,
): Promise<Folded<State>> {
  const {lines, version, size} = await events.lines({from: offset});
  // The fold ignores events of other domains, which the event types cannot express.
  const state = lines.reduce((folded, line) => slice.evolve(folded, parseEvent(line) as Event), before);
  return {state, offset: size, version, snapshotOffset};
}

/** Undefined if no line of the log starts where a snapshot ended. */
async function foldOnFrom<State, Event extends DeliveryEvent>(
  events: PackState,
  slices: readonly Slice<State, Event>[],
  starts: readonly Snapshot<State>[],
): Promise<readonly Folded<State>[] | undefined> {
  const from = Math.min(...starts.map(({offset}) => offset));
  const {lines, version, size} = await events.lines({from});
  const folds = starts.map(({offset, state}) => ({offset, state}));
  let offset = from;
  try {
    for (const line of lines) {
      const event = parseEvent(line) as Event;
      const next = offset + Buffer.byteLength(line) + 1;
      for (const [at, fold] of folds.entries()) {
        if (fold.offset !== offset) continue;
        fold.state = slices[at]?.evolve(fold.state, event) ?? fold.state;
        fold.offset = next;
      }
      offset = next;
    }
  } catch (error) {
    if (from > 0 && isToolError(error) && error.code === 'LOG_DAMAGED') return undefined;
    throw error;
  }
  if (size < from || folds.some((fold) => fold.offset !== offset)) return undefined;
  return folds.map(({state}, at) => ({state, offset: size, version, snapshotOffset: starts[at]?.offset ?? 0}));
}
