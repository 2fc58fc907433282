// The records of calls on disk: the writer groups and chains them, the reader answers questions about them.
import {
  type EvidenceExportFilter,
  type EvidenceFilter,
  type EvidencePage,
  KernelError,
  type Receipt,
} from '@lumenflow/kernel';
import type {EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import type {ArchiveReader} from '../archive/archive-reader.ts';
import {throwDiskFailure} from '../log/disk-failure.ts';
import type {SegmentedLog} from '../log/segmented-log.ts';
import {exportRecords} from './export-records.ts';
import type {ReceiptReader} from './receipt-reader.ts';
import {RecordEncoder} from './record-encoder.ts';
import type {RecordWriter} from './record-writer.ts';
import {recordedRefs} from './refs-of.ts';

export interface FileEvidenceStoreParts {
  readonly log: SegmentedLog;
  readonly writer: RecordWriter;
  readonly reader: ReceiptReader;
  readonly archive: ArchiveReader;
}

export class FileEvidenceStore implements EvidenceStore {
  readonly #parts: FileEvidenceStoreParts;
  readonly #encoder = new RecordEncoder();
  #isClosed = false;

  constructor(parts: FileEvidenceStoreParts) {
    this.#parts = parts;
  }

  append(records: readonly NewEvidenceRecord[], options: {readonly fsync: boolean}): Promise<void> {
    try {
      if (this.#isClosed) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
      const bodies = records.map((record) => this.#encoder.encode(record));
      return this.#parts.writer.append(bodies, {...options, refs: records.flatMap(recordedRefs)});
    } catch (error) {
      return Promise.reject(error);
    }
  }

  receipt(receiptId: string): Promise<Receipt | undefined> {
    return this.#parts.reader.receipt(receiptId).catch(throwDiskFailure);
  }

  read(filter: EvidenceFilter): Promise<EvidencePage> {
    return this.#parts.reader.page(filter).catch(throwDiskFailure);
  }

  lines(receiptId: string): Promise<readonly string[]> {
    return this.#parts.reader.lines(receiptId).catch(throwDiskFailure);
  }

  export(filter: EvidenceExportFilter): AsyncIterable<string> {
    return exportRecords({folder: this.#parts.log.folder, archive: this.#parts.archive}, filter);
  }

  openCalls(): Promise<readonly Receipt[]> {
    return this.#parts.reader.openCalls().catch(throwDiskFailure);
  }

  /** Waits for what is being written, and leaves nothing open. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const {log, writer, reader} = this.#parts;
    await writer.settle();
    reader.close();
    log.close();
  }
}
