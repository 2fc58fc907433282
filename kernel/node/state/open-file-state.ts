// Opens all that a workspace keeps on disk. Any number of processes, and of runtimes in one process, share it.
import type {ProcessRegistry, TaskStore} from '@lumenflow/kernel/adapters';
import type {Durability} from '@lumenflow/schemas';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {BlobStore} from '../blobs/blob-store.ts';
import {Checkpointer} from '../checkpoints/checkpointer.ts';
import {readFrontier} from '../checkpoints/frontier-file.ts';
import {LogTree, type LogTreeOptions} from '../checkpoints/log-tree.ts';
import {openSigningKey, parseVerifierKey, readVerifierKeys} from '../checkpoints/note-key.ts';
import {FileEventLog} from '../events/file-event-log.ts';
import {EvidenceProver} from '../evidence/evidence-prover.ts';
import {FileEvidenceLog} from '../evidence/file-evidence-log.ts';
import {OpenCalls} from '../evidence/open-calls.ts';
import {ReceiptReader} from '../evidence/receipt-reader.ts';
import {RecordWriter} from '../evidence/record-writer.ts';
import {UnsignedTail} from '../evidence/unsigned-tail.ts';
import {verifyEvidence} from '../verify/verify-evidence.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {diskFailure} from '../log/disk-failure.ts';
import {nodeFileOperations, type FileOperations} from '../log/file-operations.ts';
import type {LineLocation} from '../log/log-cursor.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {FileTaskStore} from '../tasks/file-task-store.ts';

export interface FileStateOptions {
  /** Absolute path of `.lumenflow/kernel`. */
  readonly stateFolder: string;
  /** Absolute path of `.lumenflow/keys`. */
  readonly keyFolder: string;
  readonly processes: ProcessRegistry;
  /** `process` leaves events in the page cache; default `auto`. */
  readonly durability?: Durability;
  /** Base64 of a PKCS #8 DER Ed25519 private key; without it the workspace's own key signs. */
  readonly signingKey?: string;
  /** Told of what was mended or could not be done in the background. */
  readonly onWarning?: (message: string) => void;
  /** How long to wait for another process that holds the lock; default 10,000. */
  readonly lockTimeoutMs?: number;
  /** Size at which a segment is full; default 64 MiB. */
  readonly rotateBytes?: number;
  /** Records between checkpoints made unasked; default 4,096. */
  readonly checkpointEvery?: number;
  /** Records of a full block of the index; default 32,768. */
  readonly indexBlockRecords?: number;
  readonly files?: FileOperations;
}

export interface FileState {
  readonly events: FileEventLog;
  readonly evidence: FileEvidenceLog;
  readonly tasks: TaskStore;
  /** Drains, signs what is new, and leaves nothing open. */
  close(): Promise<void>;
}

/** Rejects with KernelError: LOG_CORRUPT, LOCK_UNAVAILABLE, LOAD_FAILED for a bad signing key. */
export async function openFileState(given: FileStateOptions): Promise<FileState> {
  const options = withDefaults(given);
  mkdirSync(options.stateFolder, {recursive: true, mode: 0o700});
  const {stateFolder, processes} = options;
  const lock = new WorkspaceLock({folder: join(stateFolder, 'lock'), processes, timeoutMs: options.lockTimeoutMs});
  let events: FileEventLog | undefined;
  try {
    events = await openEvents(options, lock);
    const evidence = await openEvidence(options, lock, events);
    return fileState({lock, events, evidence, tasks: new FileTaskStore(join(stateFolder, 'tasks'))});
  } catch (error) {
    await events?.close();
    lock.close();
    throw error;
  }
}

function fileState(parts: Omit<FileState, 'close'> & {readonly lock: WorkspaceLock}): FileState {
  const {lock, events, evidence, tasks} = parts;
  return {
    events,
    evidence,
    tasks,
    async close() {
      try {
        try {
          await evidence.close();
        } finally {
          await events.close();
          lock.close();
        }
      } catch (error) {
        throw diskFailure(error);
      }
    },
  };
}

function openEvents(options: Settled, lock: WorkspaceLock): Promise<FileEventLog> {
  const {stateFolder, rotateBytes, files, onWarning} = options;
  const fsync = options.durability !== 'process';
  return FileEventLog.open({folder: join(stateFolder, 'events'), lock, fsync, rotateBytes, files, onWarning});
}

type Settled = Required<Omit<FileStateOptions, 'signingKey'>> & Pick<FileStateOptions, 'signingKey'>;

function withDefaults(options: FileStateOptions): Settled {
  return {
    durability: 'auto',
    onWarning: () => undefined,
    lockTimeoutMs: 10_000,
    rotateBytes: 64 * 1024 * 1024,
    checkpointEvery: 4_096,
    indexBlockRecords: 32_768,
    files: nodeFileOperations,
    ...options,
  };
}

async function openEvidence(options: Settled, lock: WorkspaceLock, events: FileEventLog): Promise<FileEvidenceLog> {
  const {stateFolder, keyFolder, files, onWarning, rotateBytes} = options;
  const folder = join(stateFolder, 'evidence', 'traces');
  const blobs = new BlobStore({
    folder: join(stateFolder, 'evidence', 'inputs'),
    files,
    fsync: options.durability !== 'process',
  });
  // What is synced or signed includes what others wrote, so the contents that it names must be on disk, too.
  const onForeignLine = (line: Buffer, place: LineLocation): void => {
    blobs.notice(line);
    tracesTree.follow(line, place);
  };
  const onOwnLine = (line: Buffer, place: LineLocation): void => tracesTree.follow(line, place);
  const log = new SegmentedLog({folder, rotateBytes, files, onWarning, onForeignLine, onOwnLine});
  const tree = await treeMaker(options);
  const tracesTree = tree('traces', folder, {companion: new OpenCalls(), told: () => log.position.seq});
  const onGroup = (): void => checkpointer.noticeSize(log.position.seq);
  const writer = new RecordWriter({log, lock, syncBlobs: () => blobs.datasync(), onGroup});
  // An append of nothing goes past the end of the log under the lock: a torn one is cut.
  const settle = async (): Promise<number> => {
    await writer.append([], {fsync: true});
    return log.position.seq;
  };
  const traces = {tree: tracesTree, settle, appended: () => log.appended};
  const eventsTree = tree('events', join(stateFolder, 'events'));
  const checkpointer = new Checkpointer({
    traces,
    events: {tree: eventsTree, settle: () => events.settle(), appended: () => events.appended},
    every: options.checkpointEvery,
    onWarning,
  });
  let tail: UnsignedTail;
  try {
    await checkpointer.checkLogs();
    const signed = traces.tree.newestSize();
    const from = readFrontier(frontierPath(stateFolder, 'traces'))?.position;
    const tailOptions = {signed, processId: options.processes.processId, onLine: (line: Buffer) => blobs.notice(line)};
    tail = await UnsignedTail.read(tailOptions, {folder, from});
  } catch (error) {
    log.close();
    throw error;
  }
  const index = {
    indexFolder: join(stateFolder, 'index', 'calls'),
    owner: options.processes.processId,
    blockRecords: options.indexBlockRecords,
  };
  const reader = new ReceiptReader({folder, frontierPath: frontierPath(stateFolder, 'traces'), index});
  const verify = () => verifyEvidence(stateFolder, {keyFolder});
  const noteFolder = join(stateFolder, 'evidence', 'tree', 'traces');
  const prover = new EvidenceProver({reader, checkpointer, keyFolder, noteFolder});
  return new FileEvidenceLog({log, writer, blobs, reader, checkpointer, prover, tail, verify});
}

type MakeTree = (
  name: string,
  logFolder: string,
  followed?: Required<Pick<LogTreeOptions, 'companion' | 'told'>>,
) => LogTree;

async function treeMaker(options: Settled): Promise<MakeTree> {
  const {stateFolder, keyFolder, signingKey, processes, files} = options;
  const signer = await openSigningKey({keyFolder, ...(signingKey !== undefined && {signingKey})});
  const verifiers = readVerifierKeys(keyFolder).flatMap((key) => parseVerifierKey(key) ?? []);
  return (name, logFolder, followed) =>
    new LogTree({
      name,
      logFolder,
      noteFolder: join(stateFolder, 'evidence', 'tree', name),
      frontierPath: frontierPath(stateFolder, name),
      signer,
      verifiers,
      owner: processes.processId,
      files,
      ...followed,
    });
}

function frontierPath(stateFolder: string, name: string): string {
  return join(stateFolder, 'index', `${name}-frontier.json`);
}
