// Opens all that a workspace keeps on disk. Any number of processes, and of runtimes in one process, share it.
import type {Clock} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import type {Durability} from '@lumenflow/schemas';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {ArchiveReader} from '../archive/archive-reader.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {BlobStore} from '../blobs/blob-store.ts';
import {BlobWindows} from '../blobs/blob-windows.ts';
import {readContentFrom} from '../blobs/read-content-from.ts';
import {FileContentStore} from '../blobs/file-content-store.ts';
import {FileEventLog} from '../events/file-event-log.ts';
import {FileEvidenceStore} from '../evidence/file-evidence-store.ts';
import {OpenCalls} from '../evidence/open-calls.ts';
import {ReceiptReader} from '../evidence/receipt-reader.ts';
import {RecordWriter} from '../evidence/record-writer.ts';
import {UnsignedTail} from '../evidence/unsigned-tail.ts';
import {WorkspaceLock} from '../lock/workspace-lock.ts';
import {openArchiving, type OpenArchiving} from './open-archiving.ts';
import {diskFailure} from '../log/disk-failure.ts';
import {nodeFileOperations, type FileOperations} from '../log/file-operations.ts';
import type {LineLocation} from '../log/log-cursor.ts';
import {parseLogPosition} from '../log/log-position.ts';
import {syncSegments} from '../log/segment-files.ts';
import {createSegmentSource} from '../signed-log/segment-source.ts';
import {SegmentedLog} from '../log/segmented-log.ts';
import {readFrontier} from '../signed-log/frontier-file.ts';
import type {LogReader} from '../signed-log/log-reader.ts';
import {createNoteFiles, listNotes} from '../signed-log/note-files.ts';
import type {TreeCache} from '../signed-log/log-tree.ts';
import {createSystemClock} from '../system/system-clock.ts';
import {FileTaskStore} from '../tasks/file-task-store.ts';
import {probeFolder} from './probe-folder.ts';
import {recordLosses} from './record-losses.ts';
import type {WorkspaceState} from './workspace-state.ts';

export interface FileStateOptions {
  /** Absolute path of `.lumenflow/kernel`. */
  readonly stateFolder: string;
  readonly processes: ProcessRegistry;
  /** `process` leaves events in the page cache; default `auto`. */
  readonly durability?: Durability | undefined;
  /** Called with repairs, and with failures in the background. */
  readonly onWarning?: (message: string) => void;
  /** How long to wait for another process's lock; default 10,000. */
  readonly lockTimeoutMs?: number;
  /** Size at which a segment is full; default 64 MiB. */
  readonly rotateBytes?: number;
  /** What dates events of the state itself; default the machine's. */
  readonly clock?: Clock;
  /** Records of a full block of the index; default 32,768. */
  readonly indexBlockRecords?: number;
  /** Events between two snapshots of the state; default 1,000, and more for a long log. */
  readonly snapshotEvery?: number;
  readonly files?: FileOperations;
  /** Where archived parts are; without it they cannot be read. */
  readonly archive?: ArchiveStore | undefined;
  /** Called before each step of archiving. */
  readonly onArchiveStep?: (step: string) => void;
}

export interface FileState extends WorkspaceState {
  readonly events: FileEventLog;
  readonly evidence: FileEvidenceStore;
  readonly contents: FileContentStore;
}

/** Rejects with KernelError: LOG_CORRUPT, LOCK_UNAVAILABLE. */
export async function openFileState(given: FileStateOptions): Promise<FileState> {
  const options = withDefaults(given);
  mkdirSync(options.stateFolder, {recursive: true, mode: 0o700});
  const {stateFolder, processes} = options;
  const lock = new WorkspaceLock({folder: join(stateFolder, 'lock'), processes, timeoutMs: options.lockTimeoutMs});
  const archiving = openArchiving(options);
  let events: FileEventLog | undefined;
  try {
    events = await openEvents(options, lock);
    const {evidence, contents, traces, companion, startSegment} = await openEvidence(options, lock, {
      events,
      archiving,
    });
    return {
      events,
      evidence,
      contents,
      tasks: new FileTaskStore(join(stateFolder, 'tasks')),
      processes,
      logs: {events: eventsReader(options, events), traces},
      treeCaches: {events: treeCache(options, 'events'), traces: {...treeCache(options, 'traces'), companion}},
      openContentReader() {
        const blobs = new BlobWindows(join(stateFolder, 'evidence', 'inputs'));
        return {read: readContentFrom(blobs, options.archive), close: () => blobs.close()};
      },
      checkWritable: () => probeFolder(stateFolder, options.files),
      ...archiving.stateMethods({events, evidence, startSegment, signed: (log) => newestNote(options, log)}),
      close: closer({lock, archiving, events, evidence, contents}),
    };
  } catch (error) {
    await events?.close();
    archiving.close();
    lock.close();
    throw error;
  }
}

function closer(
  parts: Pick<FileState, 'events' | 'evidence' | 'contents'> & {
    readonly lock: WorkspaceLock;
    readonly archiving: OpenArchiving;
  },
) {
  const {lock, archiving, events, evidence, contents} = parts;
  return async (): Promise<void> => {
    try {
      try {
        await evidence.close();
        contents.close();
      } finally {
        await events.close();
        archiving.close();
        lock.close();
      }
    } catch (error) {
      throw diskFailure(error);
    }
  };
}

function openEvents(options: Settled, lock: WorkspaceLock): Promise<FileEventLog> {
  const {stateFolder, rotateBytes, files, onWarning, processes, snapshotEvery: every, archive} = options;
  const fsync = options.durability !== 'process';
  const snapshots = {folder: join(stateFolder, 'index', 'events'), owner: processes.processId, every};
  const signedLines = (): number => newestNote(options, 'events');
  const settings = {
    folder: join(stateFolder, 'events'),
    lock,
    archive,
    fsync,
    rotateBytes,
    files,
    onWarning,
    signedLines,
  };
  return FileEventLog.open({...settings, snapshots});
}

interface Settled extends Required<Omit<FileStateOptions, 'archive' | 'onArchiveStep'>> {
  readonly onArchiveStep?: (step: string) => void;
  readonly archive: ArchiveReader;
  readonly store: ArchiveStore | undefined;
}

function withDefaults(options: FileStateOptions): Settled {
  return {
    durability: 'auto',
    onWarning: () => undefined,
    lockTimeoutMs: 10_000,
    rotateBytes: 64 * 1024 * 1024,
    clock: createSystemClock(),
    indexBlockRecords: 32_768,
    snapshotEvery: 1_000,
    files: nodeFileOperations,
    ...options,
    archive: new ArchiveReader(options.archive, options.stateFolder),
    store: options.archive,
  };
}

interface OpenEvidence {
  readonly evidence: FileEvidenceStore;
  readonly contents: FileContentStore;
  readonly traces: LogReader;
  /** Stored beside the frontier of the records' tree. */
  readonly companion: OpenCalls;
  startSegment(): Promise<void>;
}

async function openEvidence(
  options: Settled,
  lock: WorkspaceLock,
  {events, archiving}: {readonly events: FileEventLog; readonly archiving: OpenArchiving},
): Promise<OpenEvidence> {
  const {stateFolder, files, onWarning, rotateBytes, durability, archive} = options;
  const folder = join(stateFolder, 'evidence', 'traces');
  const blobs = new BlobStore({
    folder: join(stateFolder, 'evidence', 'inputs'),
    files,
    fsync: durability !== 'process',
  });
  let onLine: (line: Buffer, place: LineLocation) => void = () => undefined;
  // What is synced or signed includes what others wrote, so the contents that it names must be on disk, too.
  const onForeignLine = (line: Buffer, place: LineLocation): void => {
    blobs.notice(line);
    onLine(line, place);
  };
  const onOwnLine = (line: Buffer, place: LineLocation): void => onLine(line, place);
  const signedLines = (): number => newestNote(options, 'traces');
  const log = new SegmentedLog({folder, rotateBytes, files, onWarning, signedLines, onForeignLine, onOwnLine});
  const writer = new RecordWriter({log, lock, contents: blobs, syncBlobs: () => blobs.datasync()});
  const traces: LogReader = {
    ...createSegmentSource(folder, createNoteFiles(treeFolder(options, 'traces')), archive),
    parsePosition: parseLogPosition,
    // Under the lock, where a torn end of the log is cut.
    length: () => writer.size({fsync: false}),
    settle: () => writer.size({fsync: true}),
    sync: (seq) => syncSegments(files, folder, seq),
    appended: () => log.appended,
    live: {
      known: () => log.position.seq,
      onLine: (listener) => (onLine = listener),
    },
  };
  const reader = new ReceiptReader({
    folder,
    archive,
    frontierPath: frontierPath(stateFolder, 'traces'),
    index: {
      indexFolder: join(stateFolder, 'index', 'calls'),
      owner: options.processes.processId,
      blockRecords: options.indexBlockRecords,
    },
  });
  try {
    const tail = await readTail(options, {traces, blobs});
    await recordLosses({tail, blobs, archive, reader, events, clock: options.clock});
  } catch (error) {
    log.close();
    throw error;
  }
  const evidence = new FileEvidenceStore({log, writer, reader, archive});
  const destroying = {shred: archiving.shredIn(blobs), deleteUnneeded: archiving.deleteIn(blobs, lock)};
  const contents = new FileContentStore({blobs, archive, ...destroying});
  return {evidence, contents, traces, companion: new OpenCalls(), startSegment: () => writer.startSegment()};
}

async function readTail(
  {stateFolder, processes, archive}: Settled,
  {traces, blobs}: {readonly traces: LogReader; readonly blobs: BlobStore},
): Promise<UnsignedTail> {
  // Cuts a torn end before the lines are read.
  await traces.length();
  const signed = (await traces.checkpoints.sizes()).at(-1) ?? 0;
  const from = readFrontier(frontierPath(stateFolder, 'traces'), parseLogPosition)?.position;
  const tailOptions = {signed, processId: processes.processId, onLine: (line: Buffer) => blobs.notice(line)};
  return await UnsignedTail.read(tailOptions, {folder: traces.location, from, archive});
}

function eventsReader(options: Settled, events: FileEventLog): LogReader {
  const folder = join(options.stateFolder, 'events');
  return {
    ...createSegmentSource(folder, createNoteFiles(treeFolder(options, 'events')), options.archive),
    parsePosition: parseLogPosition,
    length: () => events.settle(),
    settle: () => events.settle(),
    sync: (seq) => syncSegments(options.files, folder, seq),
    appended: () => events.appended,
  };
}

function treeCache(options: Settled, name: string): TreeCache {
  const {stateFolder, processes, files} = options;
  const paths = {tileFolder: treeFolder(options, name), frontierPath: frontierPath(stateFolder, name)};
  return {...paths, owner: processes.processId, files};
}

function treeFolder({stateFolder}: Settled, name: string): string {
  return join(stateFolder, 'evidence', 'tree', name);
}

/** How many lines of a log are signed. */
function newestNote(options: Settled, name: string): number {
  return listNotes(treeFolder(options, name)).at(-1) ?? 0;
}

function frontierPath(stateFolder: string, name: string): string {
  return join(stateFolder, 'index', `${name}-frontier.json`);
}
