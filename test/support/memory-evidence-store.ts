// The records of calls in memory, chained as on disk.
import {KernelError, type EvidenceFilter, type Receipt} from '@lumenflow/kernel';
import type {EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';
import type {EvidenceRecord} from '@lumenflow/schemas';
import {validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {createMemoryJournal, noLine, type MemoryJournal} from './memory-journal.ts';

/** What all processes of one workspace share. */
export interface MemoryEvidence {
  readonly journal: MemoryJournal<EvidenceRecord>;
  /** In order of their start. */
  readonly receipts: Map<string, Receipt>;
}

export function createMemoryEvidence(): MemoryEvidence {
  return {journal: createMemoryJournal<EvidenceRecord>(), receipts: new Map()};
}

export function createMemoryEvidenceStore({journal, receipts}: MemoryEvidence): EvidenceStore {
  return {
    async append(records) {
      records.forEach(checkRecord);
      for (const record of journal.append(records)) fold(receipts, record);
    },
    receipt: async (receiptId) => receipts.get(receiptId),
    async read(filter) {
      const limit = Math.max(1, filter.limit ?? 100);
      const found = [...receipts.values()].filter((receipt) => matches(receipt, filter)).toReversed();
      const last = found[limit - 1];
      const more = found.length > limit && last !== undefined;
      return {receipts: found.slice(0, limit), ...(more && {next_before_seq: last.started.seq})};
    },
    async lines(receiptId) {
      if (!receipts.has(receiptId)) return [];
      return journal.lines.filter((_, index) => journal.entries[index]?.receipt_id === receiptId);
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
  };
}

function checkRecord(record: NewEvidenceRecord): void {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify({seq: 1, prev: noLine, ...record}));
  } catch (cause) {
    throw new KernelError('BROKEN_INVARIANT', `a record of \`${record.receipt_id}\` is not JSON`, {cause});
  }
  if (!validateEvidenceRecord(copy))
    throw new KernelError('BROKEN_INVARIANT', `a record of \`${record.receipt_id}\` does not match its schema`);
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
