// What a conformance suite is given: a fresh store, and a way to open adapters on it, each as a process of its own.
import type {EvidenceStore} from '@lumenflow/kernel/adapters';
import type {OpenSignedLog} from '@lumenflow/kernel/node';

export interface AdapterStore<Adapter> {
  open(): Promise<Adapter>;
  /** Closes all that was opened, and removes the store. */
  remove(): Promise<void>;
}

export interface OpenAdapters<Adapter> {
  readonly name: string;
  create(): AdapterStore<Adapter>;
}

/** The records, and what signs them. */
export interface SignedEvidence {
  readonly evidence: EvidenceStore;
  readonly signed: OpenSignedLog;
}
