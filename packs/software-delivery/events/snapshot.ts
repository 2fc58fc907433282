// A slice's state at one offset of the log, so that a read replays only the tail. It only saves time: a missing, unreadable or
// outdated snapshot is rebuilt from the log.
import type {PackState} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from './delivery-event.ts';
import type {Slice} from './slice.ts';

export interface Snapshot<State> {
  /** Bytes of the log that the state covers. */
  readonly offset: number;
  readonly state: State;
}

export function snapshotName(slice: string): string {
  return `snapshots/${slice}`;
}

/** Undefined if there is no usable snapshot. */
export async function readSnapshot<State, Event extends DeliveryEvent>(
  document: PackState,
  slice: Slice<State, Event>,
): Promise<Snapshot<State> | undefined> {
  const found = await document.read();
  if (found === undefined) return undefined;
  const kept = parseJson(found.text) as Partial<Snapshot<State> & {version: number}> | null | undefined;
  if (kept?.version !== slice.version || kept.offset === undefined || kept.state === undefined) return undefined;
  return {offset: kept.offset, state: kept.state};
}

export async function writeSnapshot<State>(
  document: PackState,
  {version}: {readonly version: number},
  {offset, state}: Snapshot<State>,
): Promise<void> {
  await document.write(JSON.stringify({version, offset, state}));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
