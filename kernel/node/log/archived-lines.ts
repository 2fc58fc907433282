// The first lines of a log, once they are in the archive. Each object is read whole and compared with its note, and is not restored to disk.
import {KernelError} from '@lumenflow/kernel';
import {join} from 'node:path';
import {listArchived, readArchived, type ArchivedFile} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {NeedsArchive} from '../archive/open-stored.ts';
import {sha256Hex} from '../system/sha256.ts';
import {hashOfLine, readChainLink} from './log-line.ts';
import {logStart, type LogPosition} from './log-position.ts';
import {segmentName} from './segment-files.ts';

const newline = 0x0a;

/** The position after the archived lines, where a segment can begin; the start of a log that has none. */
export function archivedEnd(folder: string): LogPosition {
  const {last_seq: seq, head} = readArchived(folder, listArchived(folder).at(-1) ?? '') ?? {};
  return seq === undefined || head === undefined ? logStart : {segment: seq + 1, offset: 0, seq, head};
}

/** Visits them in order. Rejects with KernelError: LOG_UNAVAILABLE without the archive, LOG_CORRUPT if one is not what was archived. */
export async function visitArchived(
  folder: string,
  archive: ArchiveStore | undefined,
  visit: (line: Buffer, at: {readonly seq: number; readonly hash: string}) => void,
): Promise<void> {
  let {seq, head} = logStart;
  for (const name of listArchived(folder)) {
    const file = readArchived(folder, name);
    if (file === undefined || name !== segmentName(seq + 1)) {
      throw new KernelError(
        'LOG_CORRUPT',
        `\`${join(folder, 'archived')}\` has no note of the archived lines from ${seq + 1}: restore it from a backup`,
      );
    }
    const bytes = await fetchSegment(folder, file, archive);
    for (let start = 0, end = bytes.indexOf(newline); end >= 0; start = end + 1, end = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, end);
      const link = readChainLink(line);
      if (link?.seq !== seq + 1 || link.prev !== head) throw notOfLog(folder, file);
      [seq, head] = [link.seq, hashOfLine(line)];
      visit(line, {seq, hash: head});
    }
    if (seq !== file.last_seq || head !== file.head) throw notOfLog(folder, file);
  }
}

async function fetchSegment(folder: string, file: ArchivedFile, archive: ArchiveStore | undefined): Promise<Buffer> {
  if (archive === undefined) throw new NeedsArchive(folder, file);
  const {key = '', sha256} = file;
  const bytes = await archive.get(key);
  if (bytes !== undefined && sha256Hex(bytes) === sha256) return bytes;
  const what = bytes === undefined ? 'does not contain' : 'contains something else as';
  throw new KernelError('LOG_CORRUPT', `the archive ${archive.location} ${what} \`${key}\`: restore it from a backup`);
}

function notOfLog(folder: string, {name, key = name}: ArchivedFile): KernelError {
  const path = join(folder, 'archived', `${name}.json`);
  return new KernelError(
    'LOG_CORRUPT',
    `\`${path}\` and \`${key}\` are not of one log: restore the note from a backup`,
  );
}
