// The evidence log on disk: records are grouped and chained by the writer, blobs go to the store, questions to the
// reader, heads to the checkpointer.
import {
  KernelError,
  type EvidenceExportFilter,
  type EvidenceFilter,
  type EvidencePage,
  type Receipt,
  type VerifyReport,
} from '@lumenflow/kernel';
import type {EvidenceLog, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import type {ConsistencyProof, EvidenceProof, LostContent} from '@lumenflow/schemas';
import type {BlobStore, StoredBlob} from '../blobs/blob-store.ts';
import type {Checkpointer} from '../checkpoints/checkpointer.ts';
import {diskFailure, throwDiskFailure} from '../log/disk-failure.ts';
import type {SegmentedLog} from '../log/segmented-log.ts';
import type {EvidenceProver} from './evidence-prover.ts';
import {exportRecords} from './export-records.ts';
import type {ReceiptReader} from './receipt-reader.ts';
import {RecordEncoder} from './record-encoder.ts';
import type {RecordWriter} from './record-writer.ts';
import type {UnsignedTail} from './unsigned-tail.ts';

export interface FileEvidenceLogParts {
  readonly log: SegmentedLog;
  readonly writer: RecordWriter;
  readonly blobs: BlobStore;
  readonly reader: ReceiptReader;
  readonly checkpointer: Checkpointer;
  readonly prover: EvidenceProver;
  readonly tail: UnsignedTail;
  readonly verify: () => Promise<VerifyReport>;
}

export class FileEvidenceLog implements EvidenceLog {
  readonly #parts: FileEvidenceLogParts;
  readonly #encoder = new RecordEncoder();
  #closing: Promise<void> | undefined;

  constructor(parts: FileEvidenceLogParts) {
    this.#parts = parts;
  }

  append(records: readonly NewEvidenceRecord[], options: {readonly fsync: boolean}): Promise<void> {
    try {
      this.#checkOpen();
      const bodies = records.map((record) => this.#encoder.encode(record));
      return this.#parts.writer.append(bodies, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  putBlob(text: string): Promise<StoredBlob> {
    return this.#closing === undefined ? this.#parts.blobs.put(text) : Promise.reject(closed());
  }

  async getBlob(ref: string): Promise<string | undefined> {
    try {
      return this.#parts.blobs.get(ref);
    } catch (error) {
      throw diskFailure(error);
    }
  }

  async shredBlob(hash: string): Promise<readonly string[]> {
    this.#checkOpen();
    return this.#parts.blobs.shred(hash);
  }

  forgetBlobs(hashes: readonly string[]): void {
    for (const hash of hashes) this.#parts.blobs.forget(hash);
  }

  receipt(receiptId: string): Promise<Receipt | undefined> {
    return this.#parts.reader.receipt(receiptId).catch(throwDiskFailure);
  }

  read(filter: EvidenceFilter): Promise<EvidencePage> {
    return this.#parts.reader.page(filter).catch(throwDiskFailure);
  }

  export(filter: EvidenceExportFilter): AsyncIterable<string> {
    return exportRecords(this.#parts.log.folder, filter);
  }

  openCalls(): Promise<readonly Receipt[]> {
    return this.#parts.reader.openCalls().catch(throwDiskFailure);
  }

  async lostContents(): Promise<readonly LostContent[]> {
    const {tail, blobs, reader} = this.#parts;
    const found: LostContent[] = [];
    for (const {receipt_id, ref} of tail.exposed()) {
      const {kind} = blobs.read(ref);
      if (kind !== 'missing' && kind !== 'torn') continue;
      const receipt = await reader.receipt(receipt_id).catch(throwDiskFailure);
      if (receipt !== undefined && tail.mayHaveLost(receipt.started)) found.push({receipt_id, ref});
    }
    return found;
  }

  verify(): Promise<VerifyReport> {
    return this.#parts.verify().catch(throwDiskFailure);
  }

  async checkpoint(): Promise<string> {
    this.#checkOpen();
    return this.#parts.checkpointer.checkpoint().catch(throwDiskFailure);
  }

  async prove(receiptId: string): Promise<EvidenceProof | undefined> {
    this.#checkOpen();
    return this.#parts.prover.prove(receiptId);
  }

  async proveConsistency(fromSize: number): Promise<ConsistencyProof | undefined> {
    this.#checkOpen();
    return this.#parts.prover.proveConsistency(fromSize);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const {log, writer, blobs, reader, checkpointer} = this.#parts;
    await writer.settle();
    try {
      await checkpointer.close();
    } finally {
      await writer.settle();
      blobs.close();
      reader.close();
      log.close();
    }
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closed();
  }
}

function closed(): KernelError {
  return new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
}
