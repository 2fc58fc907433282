// Finds the first damage that keeps a log from opening or from being read, and the last position before it.
import {KernelError} from '@lumenflow/kernel';
import {encodeHex, MerkleTree, parseCheckpoint} from '@lumenflow/kernel/adapters';
import {existsSync, readFileSync, statSync} from 'node:fs';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {archivedEnd, visitArchived} from '../log/archived-lines.ts';
import {LogCursor} from '../log/log-cursor.ts';
import {readChainLink} from '../log/log-line.ts';
import {logStart, type LogPosition} from '../log/log-position.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';
import {createNoteFiles, listNotes} from '../signed-log/note-files.ts';
import {sha256Bytes} from '../system/sha256.ts';
import type {LogFiles} from './log-files.ts';

export interface LogDamage {
  /** What is wrong, and where, for people. */
  readonly text: string;
  /** The log is intact before it. */
  readonly position: LogPosition;
  /** Segments with lines after the position, by their first line. */
  readonly segments: readonly number[];
  /** Sizes of checkpoints that cover lines after the position. */
  readonly notes: readonly number[];
  /** How many lines the log had at least. */
  readonly knownLines: number;
}

/**
 * Undefined for a log without damage. A torn last line that was never signed is not damage: the next process cuts it off. Rejects with KernelError
 * LOG_UNAVAILABLE or LOG_CORRUPT if the damage is in archived lines, or if these cannot be read.
 */
export async function findDamage(log: LogFiles, archive: ArchiveStore | undefined): Promise<LogDamage | undefined> {
  const {folder, tree} = log;
  const {end, before, problem} = await readIntact(log, archive);
  const all = existsSync(folder) ? listSegments(folder) : [];
  const signed = listNotes(tree).at(-1) ?? 0;
  const where = `\`${segmentPath(folder, end.segment)}\` line ${end.seq - end.segment + 2}`;
  const gap = all.find((first) => first > end.segment);
  let text: string;
  if (problem !== undefined) text = `${where} ${problem}`;
  else if (gap !== undefined) text = `${where} is missing, and all up to \`${segmentPath(folder, gap)}\``;
  else if (end.seq < signed) text = `\`${folder}\` has ${end.seq} lines, but a checkpoint was signed over ${signed}`;
  else return undefined;
  // The hash of the last line before the damage is in the first line of the damage: either of them was changed.
  // Archived lines have a hash of their own.
  const mayBeBefore = problem !== undefined && end.seq > archivedEnd(folder).seq;
  const position = mayBeBefore && contradicts(folder, end) ? before : end;
  const segments = all.filter((first) => first > position.segment || hasMore(folder, first, position));
  const notes = listNotes(tree).filter((size) => size > position.seq);
  return {
    text,
    position,
    segments,
    notes,
    knownLines: Math.max(signed, ...segments.map((first) => lastSeq(log, first))),
  };
}

interface Intact {
  readonly end: LogPosition;
  /** One line earlier. */
  readonly before: LogPosition;
  readonly problem?: string;
}

async function readIntact(log: LogFiles, archive: ArchiveStore | undefined): Promise<Intact> {
  const {folder, isLine} = log;
  if (!existsSync(folder)) return {end: logStart, before: logStart};
  const from = archivedEnd(folder);
  const cursor = new LogCursor({folder, from});
  let before = from;
  const roots = new MerkleTree(sha256Bytes);
  const signed = signedRoots(log);
  let mismatch: LogPosition | undefined;
  const append = (hash: string): void => {
    roots.append(Buffer.from(hash, 'hex'));
    const root = signed.get(roots.size);
    // A checkpoint over more lines that fits proves those before it, so an earlier one was damaged itself.
    if (root !== undefined) {
      mismatch = encodeHex(roots.root()) === root ? undefined : (mismatch ?? {...before, seq: roots.size - 1});
    }
  };
  try {
    await visitArchived(folder, archive, (_, {hash}) => append(hash));
    const stop = cursor.advance((line, {hash}) => {
      if (!isLine(parseOrUndefined(line.toString()))) return false;
      before = cursor.position;
      append(hash);
      return true;
    });
    if (mismatch !== undefined) {
      if (mismatch.seq < from.seq) throw damagedArchive(folder, mismatch.seq + 1);
      return {end: mismatch, before: mismatch, problem: 'is not the line that a checkpoint was signed over'};
    }
    const end = cursor.position;
    return stop.kind === 'wrong' ? {end, before, problem: stop.reason} : {end, before};
  } finally {
    cursor.close();
  }
}

function damagedArchive(folder: string, seq: number): KernelError {
  return new KernelError(
    'LOG_CORRUPT',
    `line ${seq} of \`${folder}\` is in the archive, and is not the line that a checkpoint was signed over: restore a backup`,
  );
}

/** By the size of their checkpoint. */
function signedRoots({tree}: LogFiles): ReadonlyMap<number, string> {
  const notes = createNoteFiles(tree);
  return new Map(
    listNotes(tree).flatMap((size): readonly (readonly [number, string])[] => {
      const note = readFileSync(notes.where(size), 'utf8');
      const checkpoint = parseCheckpoint(note.slice(0, note.lastIndexOf('\n\n') + 1));
      return checkpoint?.size === size ? [[size, encodeHex(checkpoint.root)]] : [];
    }),
  );
}

/** Whether the line after a position has the number that is due, and another `prev`. */
function contradicts(folder: string, {segment, offset, seq, head}: LogPosition): boolean {
  const link = readChainLink(readFileSync(segmentPath(folder, segment)).subarray(offset));
  return link?.seq === seq + 1 && link.prev !== head && seq > 0;
}

function hasMore(folder: string, first: number, {segment, offset}: LogPosition): boolean {
  return first === segment && statSync(segmentPath(folder, first)).size > offset;
}

/** The largest number of a line in a segment, as far as it has valid lines. */
function lastSeq({folder, isLine}: LogFiles, first: number): number {
  const lines = readFileSync(segmentPath(folder, first), 'utf8').split('\n');
  const seqs = lines.map((line) => {
    const link = readChainLink(Buffer.from(line));
    return link !== undefined && isLine(parseOrUndefined(line)) ? link.seq : 0;
  });
  return seqs.reduce((max, seq) => Math.max(max, seq), 0);
}

function parseOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller takes it for what it is: not a line of the log.
    return undefined;
  }
}
