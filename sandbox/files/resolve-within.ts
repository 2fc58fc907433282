// Where a path below a root leads when its symlinks are followed, by the names that the tree has for them: in a
// view of a tree from another mount namespace the kernel's own answer would speak of the tree beneath it.
import {lstat, readlink} from 'node:fs/promises';
import {join} from 'node:path';
import {isWithin} from '../profile/host-paths.ts';
import {orAbsent} from './or-absent.ts';

export interface Tree {
  /** Absolute, without symlinks. */
  readonly root: string;
  /** Where it is opened, when that is elsewhere. */
  readonly door?: string;
}

/** As many as Linux follows. */
const hopsMax = 40;

/** Relative to the root, `''` for the root; undefined when the way leaves it or goes in circles. What does not exist leads to itself. */
export async function resolveWithin({root, door = root}: Tree, path: string): Promise<string | undefined> {
  const done: string[] = [];
  const ahead = path.split('/');
  for (let hops = 0; hops <= hopsMax;) {
    const name = ahead.shift();
    if (name === undefined) return done.join('/');
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (done.pop() === undefined) return undefined;
      continue;
    }
    const place = join(door, ...done, name);
    if ((await orAbsent(lstat(place)))?.isSymbolicLink() !== true) {
      done.push(name);
      continue;
    }
    hops += 1;
    const text = await readlink(place);
    if (text.startsWith('/')) {
      if (!isWithin(text, root)) return undefined;
      done.length = 0;
    }
    ahead.unshift(...(text.startsWith('/') ? text.slice(root.length) : text).split('/'));
  }
  return undefined;
}
