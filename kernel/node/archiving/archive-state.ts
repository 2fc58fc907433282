// Moves old parts of a state on files to its archive: first segments of both logs, then the contents that only these name.
import type {EventLog, EvidenceStore, NewEvent} from '@lumenflow/kernel/adapters';
import {readFileSync} from 'node:fs';
import {rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {readArchived, writeArchived} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import type {LogName} from '../log/log-name.ts';
import {listSegments, segmentName, segmentPath} from '../log/segment-files.ts';
import {blobFileNames} from '../blobs/blob-ref.ts';
import {sha256Hex} from '../system/sha256.ts';
import {archivableContents, closeContent, leftContents, removeClosing, removeLeftNames} from './archive-contents.ts';
import {archivableSegments, hasOldStart, leftSegments} from './archive-segments.ts';
import {isShreddedPack} from '../blobs/pack-frames.ts';
import {keepHashes} from './content-hashes.ts';
import {moveToArchive, type OnStep} from './move-to-archive.ts';

export interface ArchiveOrder {
  /** ISO 8601: only what is older is archived. */
  readonly before: string;
  /** The person or the job that archives. */
  readonly by: string;
  /** When, as the event records it. */
  readonly at: string;
  /** Only reports. */
  readonly dryRun?: boolean;
}

export interface ArchivedSegment {
  readonly log: LogName;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly bytes: number;
}

export interface ArchiveReport {
  /** Where the archive is. */
  readonly archive: string;
  readonly segments: readonly ArchivedSegment[];
  /** Files of contents, and their bytes. */
  readonly contents: {readonly files: number; readonly bytes: number};
}

export interface ArchivedParts {
  readonly stateFolder: string;
  readonly store: ArchiveStore;
  readonly events: Pick<EventLog, 'transact'> & {startSegment(): Promise<void>};
  readonly evidence: Pick<EvidenceStore, 'openCalls'>;
  /** Begins a new segment of the records. */
  startSegment(): Promise<void>;
  /** How many lines of a log are signed. */
  signed(log: LogName): number;
  /** The last event that a confirmed snapshot of the state includes: only events up to it can be archived. */
  snapshotThrough(): number;
  readonly onStep?: OnStep;
}

/** Rejects with KernelError: LOG_UNAVAILABLE, LOG_CORRUPT. Everything that was moved until then is safe, and the next call continues. */
export async function archiveState(parts: ArchivedParts, order: ArchiveOrder): Promise<ArchiveReport> {
  const {stateFolder, store, evidence} = parts;
  const open = await evidence.openCalls();
  const firstOpen = Math.min(...open.map(({started}) => started.seq), Number.POSITIVE_INFINITY);
  const logs = {
    events: {folder: join(stateFolder, 'events'), through: Math.min(parts.signed('events'), parts.snapshotThrough())},
    traces: {
      folder: join(stateFolder, 'evidence', 'traces'),
      through: Math.min(parts.signed('traces'), firstOpen - 1),
    },
  };
  const inputs = join(stateFolder, 'evidence', 'inputs');
  if (order.dryRun !== true) await finishEarlier([logs.events.folder, logs.traces.folder], inputs);
  const segments = [
    ...(await archiveLog(parts, order, {log: 'traces', ...logs.traces})),
    ...(await archiveLog(parts, order, {log: 'events', ...logs.events})),
  ];
  const contents = await archiveContents(parts, order, {inputs, logs, segments});
  return {archive: store.location, segments, contents};
}

/** What an interrupted archiving had moved, and not yet removed. */
async function finishEarlier(folders: readonly string[], inputs: string): Promise<void> {
  for (const folder of folders) for (const name of leftSegments(folder)) await rm(join(folder, name), {force: true});
  for (const name of leftContents(inputs)) {
    const bytes = closeContent(inputs, name);
    if (sha256Hex(bytes) === readArchived(inputs, name)?.sha256) await rm(join(inputs, name), {force: true});
    await removeClosing(inputs, name);
  }
  removeLeftNames(inputs);
}

interface ArchivedLog {
  readonly log: LogName;
  readonly folder: string;
  readonly through: number;
}

async function archiveLog(
  parts: ArchivedParts,
  order: ArchiveOrder,
  {log, folder, through}: ArchivedLog,
): Promise<readonly ArchivedSegment[]> {
  const {store, events, onStep = () => undefined} = parts;
  const beforeMs = Date.parse(order.before);
  if (order.dryRun !== true && hasOldStart(folder, beforeMs)) {
    await (log === 'events' ? events.startSegment() : parts.startSegment());
  }
  const done: ArchivedSegment[] = [];
  const bounds = {log, folder, beforeMs, throughSeq: through, withLast: order.dryRun === true};
  for (const segment of archivableSegments(bounds)) {
    const {first_seq, last_seq, head, bytes} = segment;
    done.push({log, first_seq, last_seq, bytes: bytes.length});
    if (order.dryRun === true) continue;
    const keyBefore = `${log}/${numbered(first_seq)}-${numbered(last_seq)}`;
    const name = segmentName(first_seq);
    const record = (key: string): Promise<void> =>
      recordOnce(events, {
        type: 'evidence_archived',
        timestamp: order.at,
        actor: order.by,
        log,
        first_seq,
        last_seq,
        archive: store.location,
        key,
      });
    await moveToArchive({folder, name, bytes, keyBefore, keyAfter: '.jsonl', last_seq, head}, {store, onStep, record});
  }
  return done;
}

function recordOnce(events: ArchivedParts['events'], event: NewEvent): Promise<void> {
  return events.transact(() => ({events: [event], result: undefined}));
}

async function archiveContents(
  {store, onStep = () => undefined}: ArchivedParts,
  {before, dryRun = false}: ArchiveOrder,
  found: {
    readonly inputs: string;
    readonly logs: Readonly<Record<LogName, {readonly folder: string}>>;
    readonly segments: readonly ArchivedSegment[];
  },
): Promise<ArchiveReport['contents']> {
  const {inputs, segments} = found;
  const named = (['events', 'traces'] as const).flatMap((log) =>
    namedHere(
      found.logs[log].folder,
      segments.filter((segment) => segment.log === log),
    ),
  );
  const names = archivableContents({folder: inputs, named: new Set(named), beforeMs: Date.parse(before)});
  let total = 0;
  for (const name of names) {
    if (dryRun) {
      total += (await stat(join(inputs, name))).size;
      continue;
    }
    const bytes = closeContent(inputs, name);
    total += bytes.length;
    if (name.startsWith('pack-')) {
      if (isShreddedPack(bytes)) {
        await removeShredded(inputs, name, {bytes, archive: store.location});
        continue;
      }
      await keepHashes(inputs, name, bytes);
    }
    const record = (): Promise<void> => Promise.resolve();
    await moveToArchive({folder: inputs, name, bytes, keyBefore: `contents/${name}`}, {store, onStep, record});
    await removeClosing(inputs, name);
  }
  return {files: names.length, bytes: total};
}

/** The files of contents that lines name that stay, also after a dry run. */
function namedHere(folder: string, moved: readonly ArchivedSegment[]): readonly string[] {
  const firsts = new Set(moved.map(({first_seq}) => first_seq));
  const stay = listSegments(folder).filter((first) => !firsts.has(first));
  return stay.flatMap((first) => blobFileNames(readFileSync(segmentPath(folder, first))));
}

/** Nothing of it is left, so a note is enough. */
async function removeShredded(
  folder: string,
  name: string,
  {bytes, archive}: {readonly bytes: Buffer; readonly archive: string},
): Promise<void> {
  await writeArchived(folder, {name, archive, sha256: sha256Hex(bytes), bytes: bytes.length});
  await rm(join(folder, name), {force: true});
  await removeClosing(folder, name);
}

function numbered(seq: number): string {
  return String(seq).padStart(16, '0');
}
