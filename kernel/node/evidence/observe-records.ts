// Reports the records of calls of this process once they are written, with the time that writing took.
import type {EvidenceStore, NewEvidenceRecord} from '@lumenflow/kernel/adapters';

export interface RecordedCalls {
  readonly records: readonly NewEvidenceRecord[];
  /** When writing began and ended, in milliseconds since the epoch. */
  readonly beganMs: number;
  readonly endedMs: number;
}

export type RecordObserver = (recorded: RecordedCalls) => void;

export function observeRecords(store: EvidenceStore, observe: RecordObserver): EvidenceStore {
  return {
    async append(records, options) {
      const beganMs = nowMs();
      await store.append(records, options);
      observe({records, beganMs, endedMs: nowMs()});
    },
    receipt: (receiptId) => store.receipt(receiptId),
    read: (filter) => store.read(filter),
    lines: (receiptId) => store.lines(receiptId),
    export: (filter) => store.export(filter),
    openCalls: () => store.openCalls(),
  };
}

/** With fractions, unlike `Date.now`. */
function nowMs(): number {
  return performance.timeOrigin + performance.now();
}
