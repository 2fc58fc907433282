// Contents that a loss of power destroyed before they were on disk are recorded once, as an event. The records that refer to them
// remain, and verification reports a loss rather than a removal. This must precede the next checkpoint: contents that were
// signed as complete cannot be explained later.
import type {Clock} from '@lumenflow/kernel';
import {isPromise} from '@lumenflow/kernel/adapters';
import type {LostContent} from '@lumenflow/schemas';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import type {BlobStore} from '../blobs/blob-store.ts';
import type {FileEventLog} from '../events/file-event-log.ts';
import type {ReceiptReader} from '../evidence/receipt-reader.ts';
import type {UnsignedTail} from '../evidence/unsigned-tail.ts';
import {throwDiskFailure} from '../log/disk-failure.ts';

export interface LossesOptions {
  readonly tail: UnsignedTail;
  readonly blobs: BlobStore;
  readonly archive: ArchiveReader;
  readonly reader: ReceiptReader;
  readonly events: FileEventLog;
  readonly clock: Clock;
}

export async function recordLosses({events, clock, ...parts}: LossesOptions): Promise<void> {
  const lost = await findLosses(parts).catch(throwDiskFailure);
  if (lost.length === 0) return;
  const before = await events.read({});
  await events.transact(() => {
    // Another process that started at the same time may have recorded them. Its events are too new to be archived.
    const later = events.read({afterSeq: before.at(-1)?.seq ?? 0});
    const recorded = [...before, ...(isPromise(later) ? [] : later)].flatMap((event) =>
      event.type === 'evidence_lost' ? event.contents : [],
    );
    const known = new Set(recorded.map(({ref}) => ref));
    const contents = lost.filter(({ref}) => !known.has(ref));
    const actor = 'kernel.reconciliation';
    const event = {type: 'evidence_lost' as const, timestamp: clock.timestamp(), actor, contents};
    return {events: contents.length > 0 ? [event] : [], result: undefined};
  });
}

/**
 * Contents that a loss of power may have destroyed: a process of an earlier boot recorded them, no checkpoint covers their record,
 * and nothing in the log shows that they were on disk.
 */
async function findLosses({
  tail,
  blobs,
  archive,
  reader,
}: Omit<LossesOptions, 'events' | 'clock'>): Promise<LostContent[]> {
  const found: LostContent[] = [];
  for (const {receipt_id, ref} of tail.exposed()) {
    const {kind} = await archive.reading(() => blobs.read(ref));
    if (kind !== 'missing' && kind !== 'torn') continue;
    const receipt = await reader.receipt(receipt_id);
    if (receipt !== undefined && tail.mayHaveLost(receipt.started)) found.push({receipt_id, ref});
  }
  return found;
}
