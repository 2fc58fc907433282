// The objects of an archive that continue a log from one line to another.
import type {ArchivedFile} from '../archive/archived-file.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {hashOfLine, readChainLink} from '../log/log-line.ts';
import type {LogName} from '../log/log-name.ts';
import type {LogPosition} from '../log/log-position.ts';
import {segmentName} from '../log/segment-files.ts';
import {sha256Hex} from '../system/sha256.ts';

export interface ArchivedKey {
  readonly key: string;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly sha256: string;
}

type LineEnd = Pick<LogPosition, 'seq' | 'head'>;

export interface ChainEnd {
  /** The last line. */
  readonly seq: number;
  /** Whether an object that ends with this line is the right one. */
  readonly isLast: (file: ArchivedFile) => boolean;
}

const newline = 0x0a;
const pattern = /\/([0-9]{16})-([0-9]{16})-([0-9a-f]{64})\.jsonl$/u;

/** Segments of a log in an archive, by their keys. */
export async function keysOf(archive: ArchiveStore, log: LogName): Promise<readonly ArchivedKey[]> {
  return (await archive.list(`${log}/`)).flatMap((key) => {
    const [, first, last, sha256] = pattern.exec(key) ?? [];
    return sha256 === undefined ? [] : [{key, first_seq: Number(first), last_seq: Number(last), sha256}];
  });
}

/** Notes of unchanged objects that lead from a line to the end; undefined if there are none. An archive can also have objects of an interrupted archiving. */
export async function findChain(
  archive: ArchiveStore,
  from: LineEnd,
  keys: readonly ArchivedKey[],
  to: ChainEnd,
): Promise<readonly ArchivedFile[] | undefined> {
  for (const key of keys.filter(({first_seq, last_seq}) => first_seq === from.seq + 1 && last_seq <= to.seq)) {
    const file = await noteOf(archive, from, key);
    if (file === undefined) continue;
    if (file.last_seq === to.seq) {
      if (to.isLast(file)) return [file];
      continue;
    }
    const rest = await findChain(archive, {seq: file.last_seq, head: file.head}, keys, to);
    if (rest !== undefined) return [file, ...rest];
  }
  return undefined;
}

/** Undefined for an object that was changed or does not continue the log. */
async function noteOf(
  archive: ArchiveStore,
  from: LineEnd,
  {key, first_seq, last_seq, sha256}: ArchivedKey,
): Promise<(ArchivedFile & {readonly last_seq: number; readonly head: string}) | undefined> {
  const bytes = await archive.get(key);
  if (bytes === undefined || sha256Hex(bytes) !== sha256) return undefined;
  let {seq, head} = from;
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(newline, start);
    const line = bytes.subarray(start, end);
    const link = readChainLink(line);
    if (end < 0 || link?.seq !== seq + 1 || link.prev !== head) return undefined;
    [seq, head, start] = [link.seq, hashOfLine(line), end + 1];
  }
  if (seq !== last_seq) return undefined;
  return {name: segmentName(first_seq), archive: archive.location, key, sha256, bytes: bytes.length, last_seq, head};
}
