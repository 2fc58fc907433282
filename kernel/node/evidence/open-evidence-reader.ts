// Reads a workspace's evidence from its files, without a lock, a key, or any right to write: for auditors and for copies. It ignores an
// incomplete last line, which a running process may be writing.
import {KernelError, type KernelRuntime} from '@lumenflow/kernel';
import {readRefused} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {ArchiveReader} from '../archive/archive-reader.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {readText} from '../blobs/read-text.ts';
import {throwDiskFailure} from '../log/disk-failure.ts';
import {LogCursor} from '../log/log-cursor.ts';
import {segmentPath} from '../log/segment-files.ts';
import {exportRecords} from './export-records.ts';
import {ReceiptReader} from './receipt-reader.ts';

/** What a runtime offers, as far as reading goes. */
export interface RecordedEvidence {
  readonly evidence: Pick<KernelRuntime['evidence'], 'readTraces' | 'receipt' | 'export' | 'readBlob'>;
  readonly events: Pick<KernelRuntime['events'], 'read'>;
}

export interface EvidenceReader extends RecordedEvidence {
  close(): void;
}

/** `stateFolder` is `.lumenflow/kernel` or a copy of it. Throws KernelError LOG_CORRUPT when it contains no evidence. */
export function openEvidenceReader(stateFolder: string, store?: ArchiveStore): EvidenceReader {
  const archive = new ArchiveReader(store, stateFolder);
  const folder = join(stateFolder, 'evidence', 'traces');
  if (!existsSync(folder)) throw new KernelError('LOG_CORRUPT', `\`${stateFolder}\` contains no evidence`);
  const reader = new ReceiptReader({
    folder,
    archive,
    frontierPath: join(stateFolder, 'index', 'traces-frontier.json'),
    // No block of the index is ever full here, so that none is written.
    index: {indexFolder: join(stateFolder, 'index', 'calls'), owner: '', blockRecords: Number.POSITIVE_INFINITY},
  });
  return {
    evidence: {
      readTraces: ({refused = false, ...filter} = {}) =>
        (refused ? readRefused((each) => reader.page(each), filter) : reader.page(filter)).catch(throwDiskFailure),
      receipt: (receiptId) => reader.receipt(receiptId).catch(throwDiskFailure),
      export: (filter) => exportRecords({folder, archive}, filter ?? {}),
      readBlob: async (ref) => await archive.reading(() => readText(join(stateFolder, 'evidence', 'inputs'), ref)),
    },
    events: {
      read: async ({types, task_id, after_seq = 0, limit = Number.POSITIVE_INFINITY} = {}) =>
        (await archive.reading(() => readEvents(join(stateFolder, 'events'))))
          .filter((event) => event.seq > after_seq && (types === undefined || types.includes(event.type)))
          .filter((event) => task_id === undefined || ('task_id' in event && event.task_id === task_id))
          .slice(0, limit),
    },
    close: () => reader.close(),
  };
}

function readEvents(folder: string): readonly KernelEvent[] {
  const events: KernelEvent[] = [];
  const cursor = new LogCursor({folder});
  try {
    const stop = cursor.advance((line) => void events.push(JSON.parse(line.toString()) as KernelEvent));
    if (stop.kind !== 'wrong') return events;
    const {segment, seq} = cursor.position;
    throw new KernelError(
      'LOG_CORRUPT',
      `\`${segmentPath(folder, segment)}\` line ${seq - segment + 2} ${stop.reason}`,
    );
  } finally {
    cursor.close();
  }
}
