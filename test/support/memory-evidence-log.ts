// The evidence log in memory: records chained and signed as on disk, blobs by their hash.
import {KernelError, type EvidenceFilter, type Receipt} from '@lumenflow/kernel';
import {encodeHex, type EvidenceLog, type NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {createMemoryJournal, noLine, type MemoryJournal} from './memory-journal.ts';
import {createMemoryProofs, type MemoryProofs} from './memory-proofs.ts';

/** What all evidence logs of one workspace share. */
export interface MemoryEvidence {
  readonly journal: MemoryJournal<EvidenceRecord>;
  readonly blobs: Map<string, string>;
  /** How often a content was shredded, by its hash. */
  readonly shredded: Map<string, number>;
  /** In order of their start. */
  readonly receipts: Map<string, Receipt>;
  readonly proofs: MemoryProofs;
  signedRecords: number;
}

export function createMemoryEvidence(): MemoryEvidence {
  const journal = createMemoryJournal<EvidenceRecord>();
  const proofs = createMemoryProofs(journal.lines);
  return {journal, proofs, blobs: new Map(), shredded: new Map(), receipts: new Map(), signedRecords: 0};
}

export function createMemoryEvidenceLog(memory: MemoryEvidence): EvidenceLog {
  const {journal, blobs, receipts, proofs} = memory;
  let closed = false;
  const checkOpen = (): void => {
    if (closed) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
  };
  return {
    async append(records) {
      checkOpen();
      records.forEach(checkRecord);
      for (const record of journal.append(records)) fold(receipts, record);
    },
    async putBlob(text) {
      checkOpen();
      const hash = sha256Hex(text);
      const shredded = memory.shredded.get(hash);
      const ref = `inputs/${hash}${shredded === undefined ? '' : `-${shredded}`}`;
      blobs.set(ref, Buffer.from(text).toString());
      return {hash, ref};
    },
    async shredBlob(hash) {
      checkOpen();
      const refs = [...blobs].flatMap(([ref, text]) => (sha256Hex(text) === hash ? [ref] : []));
      for (const ref of refs) blobs.delete(ref);
      memory.shredded.set(hash, (memory.shredded.get(hash) ?? 0) + 1);
      return refs;
    },
    // No ref is remembered: each is made when its content is put.
    forgetBlobs: () => undefined,
    async getBlob(ref) {
      const text = blobs.get(ref);
      if (text !== undefined && !ref.startsWith(`inputs/${sha256Hex(text)}`))
        throw new KernelError('LOG_CORRUPT', `the blob \`${ref}\` is not what was recorded`);
      return text;
    },
    receipt: async (receiptId) => receipts.get(receiptId),
    async read(filter) {
      const limit = Math.max(1, filter.limit ?? 100);
      const found = [...receipts.values()].filter((receipt) => matches(receipt, filter)).toReversed();
      const last = found[limit - 1];
      const more = found.length > limit && last !== undefined;
      return {receipts: found.slice(0, limit), ...(more && {next_before_seq: last.started.seq})};
    },
    async *export({since, until, task_id}) {
      const all = [since, until, task_id].every((bound) => bound === undefined);
      for (const [index, {receipt_id}] of journal.entries.entries()) {
        const receipt = receipts.get(receipt_id);
        const filter = {...(since && {since}), ...(until && {until}), ...(task_id && {task_id})};
        if (all || (receipt && matches(receipt, filter))) yield `${journal.lines[index] ?? ''}\n`;
      }
    },
    openCalls: async () => [...receipts.values()].filter(({finished}) => finished === undefined),
    lostContents: async () => [],
    async verify() {
      const records = journal.lines.length;
      const signed = memory.signedRecords === records ? 'verified' : 'unsigned_tail';
      return {
        status: records === 0 ? 'empty' : signed,
        records,
        blobs: blobs.size,
        redacted: 0,
        lost: 0,
        root: encodeHex(proofs.root(records)),
        signed_records: memory.signedRecords,
        findings: signed === 'verified' ? [] : [`records after ${memory.signedRecords} are not signed`],
      };
    },
    async checkpoint() {
      checkOpen();
      memory.signedRecords = journal.lines.length;
      return proofs.sign();
    },
    async prove(receiptId) {
      checkOpen();
      memory.signedRecords = journal.lines.length;
      return proofs.prove(receiptId);
    },
    async proveConsistency(fromSize) {
      checkOpen();
      return proofs.proveConsistency(fromSize);
    },
    async close() {
      closed = true;
    },
  };
}

function checkRecord(record: NewEvidenceRecord): void {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify({seq: 1, prev: noLine, ...record}));
  } catch (cause) {
    throw new KernelError('BROKEN_INVARIANT', `a record of \`${record.receipt_id}\` is no JSON`, {cause});
  }
  if (!validateEvidenceRecord(copy))
    throw new KernelError('BROKEN_INVARIANT', `a record of \`${record.receipt_id}\` does not fit its schema`);
}

/** Of two starts and of two outcomes the first counts. */
function fold(receipts: Map<string, Receipt>, record: EvidenceRecord): void {
  const {receipt_id} = record;
  const known = receipts.get(receipt_id);
  if (record.type === 'tool_call_started') {
    if (!known) receipts.set(receipt_id, {receipt_id, started: record, progress: []});
  } else if (known && record.type === 'tool_call_progress') {
    receipts.set(receipt_id, {...known, progress: [...known.progress, record]});
  } else if (known && record.type === 'tool_call_finished' && !known.finished) {
    receipts.set(receipt_id, {...known, finished: record});
  }
}

function matches({started, finished}: Receipt, filter: EvidenceFilter): boolean {
  const {since, until, before_seq} = filter;
  const is = (wanted: string | undefined, actual: string): boolean => wanted === undefined || wanted === actual;
  return (
    is(filter.task_id, started.task_id) &&
    is(filter.session_id, started.session_id) &&
    is(filter.tool_name, started.tool_name) &&
    is(filter.by, started.by ?? '') &&
    is(filter.result, finished?.result ?? 'open') &&
    (since === undefined || started.timestamp >= since) &&
    (until === undefined || started.timestamp <= until) &&
    (before_seq === undefined || started.seq < before_seq)
  );
}
