// The store of a workspace's records. Files are the default; another store implements the same interface.
import type {ContentStore, EventLog, EvidenceStore, ProcessRegistry, TaskStore} from '@lumenflow/kernel/adapters';
import type {ArchiveOrder, ArchiveReport} from '../archiving/archive-state.ts';
import type {TreeCache} from '../signed-log/log-tree.ts';
import type {WorkspaceLogs} from '../signed-log/log-reader.ts';
import type {ReadContent} from '../verify/blob-check.ts';
import type {SharedCosignatures} from '../witness/shared-cosignatures.ts';

export interface ContentReader {
  readonly read: ReadContent;
  close(): void;
}

export interface WorkspaceState {
  readonly events: EventLog;
  readonly evidence: EvidenceStore;
  readonly contents: ContentStore;
  readonly tasks: TaskStore;
  /** The processes that share the state: which one made a call, and whether it is alive. */
  readonly processes: ProcessRegistry;
  /** Both logs, for signing, proofs and verification. */
  readonly logs: WorkspaceLogs;
  /** A cache on this machine for the hashes of the logs' trees. Without it, they are kept in memory. */
  readonly treeCaches?: {readonly events: TreeCache; readonly traces: TreeCache};
  /** Of a state that several machines share: the cosignatures of witnesses. Default: files of each machine. */
  readonly cosignatures?: SharedCosignatures;
  /** Reads many contents in a row, for verification; default: `contents.get`. */
  openContentReader?(): ContentReader;
  /** Rejects with KernelError LOG_UNAVAILABLE if nothing can be recorded now; default: `events.refresh`. */
  checkWritable?(): Promise<void>;
  /** Moves old parts to the archive; absent if the state has none. Rejects with KernelError LOG_UNAVAILABLE, LOG_CORRUPT. */
  archive?(order: ArchiveOrder): Promise<ArchiveReport>;
  /** Waits for pending writes, and closes everything. */
  close(): Promise<void>;
}
