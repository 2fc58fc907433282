// A slice's state as of the end of the log: its snapshot and the events since.
import {isToolError, type PackState} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from './delivery-event.ts';
import {parseEvent} from './parse-event.ts';
import type {Slice} from './slice.ts';
import {readSnapshot, type Snapshot} from './snapshot.ts';

export interface Folded<State> {
  readonly state: State;
  /** Bytes of the log that the state is a fold of. */
  readonly offset: number;
  /** Of the log at that offset; what is appended builds on it. */
  readonly version: string;
  /** Where the snapshot ended that the fold went on from. */
  readonly snapshotOffset: number;
}

/** Throws ToolError LOG_DAMAGED. */
export async function foldLog<State, Event extends DeliveryEvent>(
  events: PackState,
  document: PackState,
  slice: Slice<State, Event>,
): Promise<Folded<State>> {
  const start: Snapshot<State> = {offset: 0, state: structuredClone(slice.initial)};
  const snapshot = await readSnapshot(document, slice);
  if (snapshot === undefined) return await foldOn(events, slice, {...start, snapshotOffset: 0});
  try {
    const folded = await foldOn(events, slice, {...snapshot, snapshotOffset: snapshot.offset});
    if (folded.offset >= snapshot.offset) return folded;
  } catch (error) {
    if (!isToolError(error) || error.code !== 'LOG_DAMAGED') throw error;
  }
  // The snapshot is of another log than the one that is there.
  return await foldOn(events, slice, {...start, snapshotOffset: 0});
}

/** Reads what was appended since. */
export async function foldOn<State, Event extends DeliveryEvent>(
  events: PackState,
  slice: Slice<State, Event>,
  {state: before, offset, snapshotOffset}: Omit<Folded<State>, 'version'>,
): Promise<Folded<State>> {
  const {lines, version, size} = await events.lines({from: offset});
  // The fold ignores what is not its own, which the types of events alone cannot say.
  const state = lines.reduce((folded, line) => slice.evolve(folded, parseEvent(line) as Event), before);
  return {state, offset: size, version, snapshotOffset};
}
