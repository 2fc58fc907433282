// Ports that pass everything on: a test replaces what it wants to intercept.
import type {ContentStore, EventLog, EvidenceStore} from '@lumenflow/kernel/adapters';

export function passThroughEvidence(store: EvidenceStore, changed: Partial<EvidenceStore> = {}): EvidenceStore {
  return {
    append: (records, options) => store.append(records, options),
    receipt: (receiptId) => store.receipt(receiptId),
    read: (filter) => store.read(filter),
    lines: (receiptId) => store.lines(receiptId),
    export: (filter) => store.export(filter),
    openCalls: () => store.openCalls(),
    ...changed,
  };
}

export function passThroughContents(store: ContentStore, changed: Partial<ContentStore> = {}): ContentStore {
  return {
    put: (text) => store.put(text),
    get: (ref) => store.get(ref),
    shred: (hash) => store.shred(hash),
    forget: (hashes) => store.forget(hashes),
    ...changed,
  };
}

export function passThroughEvents(log: EventLog, changed: Partial<EventLog> = {}): EventLog {
  return {
    refresh: () => log.refresh(),
    transact: (decide) => log.transact(decide),
    onEvent: (listener, afterSeq) => log.onEvent(listener, afterSeq),
    read: (filter) => log.read(filter),
    ...changed,
  };
}
