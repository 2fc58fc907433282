// An evidence log that hands everything on: a test replaces what it wants to stand between.
import type {EvidenceLog} from '@lumenflow/kernel/adapters';

export function throughEvidence(log: EvidenceLog, changed: Partial<EvidenceLog> = {}): EvidenceLog {
  return {
    append: (records, options) => log.append(records, options),
    putBlob: (text) => log.putBlob(text),
    getBlob: (ref) => log.getBlob(ref),
    shredBlob: (hash) => log.shredBlob(hash),
    forgetBlobs: (hashes) => log.forgetBlobs(hashes),
    receipt: (receiptId) => log.receipt(receiptId),
    read: (filter) => log.read(filter),
    export: (filter) => log.export(filter),
    openCalls: () => log.openCalls(),
    lostContents: () => log.lostContents(),
    verify: () => log.verify(),
    checkpoint: () => log.checkpoint(),
    prove: (receiptId) => log.prove(receiptId),
    proveConsistency: (fromSize) => log.proveConsistency(fromSize),
    close: () => log.close(),
    ...changed,
  };
}
