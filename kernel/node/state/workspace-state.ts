// What a workspace's records are kept in. Files are the default; another store implements the same.
import type {ContentStore, EventLog, EvidenceStore, ProcessRegistry, TaskStore} from '@lumenflow/kernel/adapters';
import type {TreeCache} from '../signed-log/log-tree.ts';
import type {WorkspaceLogs} from '../signed-log/log-reader.ts';
import type {ReadContent} from '../verify/blob-check.ts';

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
  /** Both logs, for what signs, proves and verifies. */
  readonly logs: WorkspaceLogs;
  /** Where this machine may keep the hashes of the logs' trees; without it, they are in memory. */
  readonly treeCaches?: {readonly events: TreeCache; readonly traces: TreeCache};
  /** Reads many contents in a row, for verification; default: `contents.get`. */
  openContentReader?(): ContentReader;
  /** Waits for what is being written, and leaves nothing open. */
  close(): Promise<void>;
}
