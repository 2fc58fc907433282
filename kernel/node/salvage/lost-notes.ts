// Notes of archived segments that are lost or damaged. The archive's keys name lines and hashes, and the hash of the last lost line is in
// the line that follows it here, or an event names the object. So the chain proves which objects are of this log.
import {isKernelError, KernelError} from '@lumenflow/kernel';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {listArchived, readArchived, type ArchivedFile} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {lineAt} from '../archiving/line-at.ts';
import type {LogName} from '../log/log-name.ts';
import {readChainLink} from '../log/log-line.ts';
import {logStart} from '../log/log-position.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';
import {sha256Hex} from '../system/sha256.ts';
import {findChain, keysOf, type ArchivedKey, type ChainEnd} from './archived-chain.ts';
import {archivedEvents} from './archived-events.ts';
import {logFilesOf} from './log-files.ts';

/** A part of a log that is in the archive, and has no note. */
interface Gap {
  readonly seq: number;
  readonly head: string;
  /** The first line of the next segment that is known. */
  readonly next: number | undefined;
}

export interface NotedLog {
  readonly stateFolder: string;
  readonly log: LogName;
  readonly archive: ArchiveStore | undefined;
}

/**
 * Notes that can be written again, in order; nothing is changed. Rejects with KernelError LOG_UNAVAILABLE or LOG_CORRUPT if lines were archived and
 * the archive does not prove which objects have them.
 */
export async function findLostNotes(at: NotedLog): Promise<readonly ArchivedFile[]> {
  const {folder} = logFilesOf(at.stateFolder, at.log);
  if (!existsSync(folder)) return [];
  const noted = readableNotes(folder);
  const local = new Set(listSegments(folder));
  const found: ArchivedFile[] = [];
  let {seq, head} = logStart;
  for (;;) {
    const note = noted.get(seq + 1);
    if (note?.last_seq !== undefined && note.head !== undefined) {
      [seq, head] = [note.last_seq, note.head];
      continue;
    }
    if (local.has(seq + 1)) return found;
    const [next] = [...noted.keys(), ...local].filter((first) => first > seq + 1).toSorted((a, b) => a - b);
    const files = await filesIn(
      {seq, head, next},
      {...at, folder, note: next === undefined ? undefined : noted.get(next)},
    );
    const last = files.at(-1);
    if (last?.last_seq === undefined || last.head === undefined) return found;
    found.push(...files);
    [seq, head] = [last.last_seq, last.head];
  }
}

/** By the first line. One that is damaged is as good as lost. */
function readableNotes(folder: string): ReadonlyMap<number, ArchivedFile> {
  const notes = listArchived(folder).flatMap((name): readonly (readonly [number, ArchivedFile])[] => {
    try {
      const file = readArchived(folder, name);
      return file === undefined ? [] : [[Number.parseInt(name, 10), file]];
    } catch (error) {
      if (isKernelError(error) && error.code === 'LOG_CORRUPT') return [];
      throw error;
    }
  });
  return new Map(notes);
}

interface GapPlace extends NotedLog {
  readonly folder: string;
  /** Of the segment after the gap, if it is archived. */
  readonly note: ArchivedFile | undefined;
}

/** None if nothing says that the lines were archived: then they are lost. */
async function filesIn({seq, head, next}: Gap, at: GapPlace): Promise<readonly ArchivedFile[]> {
  const {archive, folder, log} = at;
  const isInGap = ({first_seq, last_seq}: Pick<ArchivedKey, 'first_seq' | 'last_seq'>): boolean =>
    last_seq > seq && (next === undefined || first_seq < next);
  const keys = archive === undefined ? [] : (await keysOf(archive, log)).filter(isInGap);
  if (!archivedEvents(at).some(isInGap) && keys.length === 0) return [];
  const what = `\`${join(folder, 'archived')}\` has no valid note of the archived lines from ${seq + 1}`;
  if (archive === undefined) {
    throw new KernelError('LOG_UNAVAILABLE', `${what}: set \`archive\` in workspace.yaml to write it again`);
  }
  const end = await endOf({seq, head, next}, archive, at);
  const chain = end && (await findChain(archive, {seq, head}, keys, end));
  if (chain !== undefined) return chain;
  const why =
    end === undefined
      ? 'neither the line after them nor an event names their hash'
      : `${archive.location} does not contain them unchanged`;
  throw new KernelError(
    'LOG_CORRUPT',
    `${what}, and it cannot be written again because ${why}: restore the folder, or the archive, from a backup`,
  );
}

/** How the last object of a gap is known: by the line that follows it, or else by the event of its archiving. */
async function endOf({seq, next}: Gap, archive: ArchiveStore, at: GapPlace): Promise<ChainEnd | undefined> {
  const prev = next === undefined ? undefined : await prevOf(next, archive, at);
  if (next !== undefined && prev !== undefined) return {seq: next - 1, isLast: ({head}) => head === prev};
  const named = archivedEvents(at).filter(
    ({last_seq}) => last_seq > seq && (next === undefined || last_seq === next - 1),
  );
  const last = named.toSorted((a, b) => a.last_seq - b.last_seq).at(-1);
  return last && {seq: last.last_seq, isLast: ({key}) => key === last.key};
}

/** `prev` of the first line of a segment, here or in the archive. */
async function prevOf(first: number, archive: ArchiveStore, {folder, note}: GapPlace): Promise<string | undefined> {
  let line: Buffer | undefined;
  if (note === undefined) line = lineAt(segmentPath(folder, first));
  else {
    const bytes = await archive.get(note.key ?? '');
    if (bytes !== undefined && sha256Hex(bytes) === note.sha256) line = bytes.subarray(0, bytes.indexOf(0x0a));
  }
  const link = line && readChainLink(line);
  return link?.seq === first ? link.prev : undefined;
}
