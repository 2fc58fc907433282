// Everything of a directory that a program could distinguish, as comparable lines.
import {createHash} from 'node:crypto';
import {chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

/**
 * Kinds, permissions, owners, contents, which names are one file, and times of more than a year ago, to ten microseconds.
 * `latin1` carries names that are not UTF-8.
 */
export function treeOf(root: string): readonly string[] {
  const firstNames = new Map<number, string>();
  const oldMs = Date.now() - 365 * 24 * 3_600_000;
  const lineOf = (path: string): readonly string[] => {
    const place = Buffer.from(join(root, path), 'latin1');
    const stat = lstatSync(place);
    const {mtimeNs} = lstatSync(place, {bigint: true});
    const mode = (stat.mode & 0o7777).toString(8);
    const time = stat.mtimeMs < oldMs ? ` ${mtimeNs / 10_000n}` : '';
    const facts = `${path}: ${mode} ${stat.uid}:${stat.gid}`;
    if (stat.isDirectory()) return [`${facts}${time}/`, ...linesOf(path)];
    if (stat.isSymbolicLink()) return [`${facts}${time} -> ${readlinkSync(place)}`];
    const first = firstNames.get(stat.ino) ?? path;
    firstNames.set(stat.ino, first);
    return [`${facts}${time} ${first === path ? stat.nlink : `= ${first}`} ${contentOf(place, stat.size)}`];
  };
  const linesOf = (directory: string): readonly string[] =>
    readdirSync(Buffer.from(join(root, directory), 'latin1'), 'latin1')
      .toSorted()
      .flatMap((name) => lineOf(join(directory, name)));
  return linesOf('');
}

/** Short ones as they are, so that a difference can be read. */
function contentOf(place: Buffer, size: number): string {
  const content = readLocked(place);
  return size < 200 && !content.includes(0)
    ? content.toString('latin1')
    : createHash('sha256').update(content).digest('hex');
}

/** As root any file is read; as an ordinary user one without that permission gets it for a moment. */
function readLocked(place: Buffer): Buffer {
  try {
    return readFileSync(place);
  } catch (error) {
    const {mode} = lstatSync(place);
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    chmodSync(place, 0o600);
    try {
      return readFileSync(place);
    } finally {
      chmodSync(place, mode & 0o7777);
    }
  }
}
