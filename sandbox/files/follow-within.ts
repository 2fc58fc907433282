// Follows the symlinks of a path below a root, by the names in that tree. For a view from another mount namespace, the kernel's
// own answer would describe the tree beneath it.
import {lstat, readlink} from 'node:fs/promises';
import {join} from 'node:path';
import {isWithin} from '../profile/host-paths.ts';
import {undefinedIfMissing} from './undefined-if-missing.ts';

export interface Tree {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** Where it is opened, if that is elsewhere. */
  readonly door?: string;
}

export type Destination =
  /** Relative to the root, `''` for the root. A path that does not exist resolves to itself. */
  | {readonly kind: 'inside'; readonly path: string}
  /**
   * `hop`: the link that leaves the root, relative to it, and its text. `path`: absolute; undefined if the link leads above the
   * root.
   */
  | {readonly kind: 'outside'; readonly hop: string; readonly text: string; readonly path?: string}
  | {readonly kind: 'circle'};

/** As many as Linux follows. */
const hopsMax = 40;

export async function followWithin({root, door = root}: Tree, path: string): Promise<Destination> {
  const done: string[] = [];
  const ahead = path.split('/');
  let last = {hop: path, text: path};
  for (let hops = 0; hops <= hopsMax;) {
    const name = ahead.shift();
    if (name === undefined) return {kind: 'inside', path: done.join('/')};
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (done.pop() === undefined) return {kind: 'outside', ...last};
      continue;
    }
    const place = join(door, ...done, name);
    if ((await undefinedIfMissing(lstat(place)))?.isSymbolicLink() !== true) {
      done.push(name);
      continue;
    }
    hops += 1;
    const text = await readlink(place);
    last = {hop: [...done, name].join('/'), text};
    if (text.startsWith('/')) {
      if (!isWithin(join(text), root)) return {kind: 'outside', ...last, path: join(text, ...ahead)};
      done.length = 0;
    }
    ahead.unshift(...(text.startsWith('/') ? join(text).slice(root.length) : text).split('/'));
  }
  return {kind: 'circle'};
}
