// A slice's state at one offset of the log, so that a read folds the tail only. It is worth nothing but time: one that is
// missing, of another version or unreadable is folded anew from the log.
import type {PackState} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from './delivery-event.ts';
import type {Slice} from './slice.ts';

export interface Snapshot<State> {
  /** Bytes of the log that the state is a fold of. */
  readonly offset: number;
  readonly state: State;
}

export function snapshotName(slice: string): string {
  return `snapshots/${slice}`;
}

/** Undefined when there is none to go on from. */
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
