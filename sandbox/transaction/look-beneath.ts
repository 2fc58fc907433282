// Which files and directories of the workspace the view shows beneath what was written to it. This must be read while the overlay
// still has them open. Once sealed, the overlay looks them up again, by names that may by then refer to other files.
import {lstatSync, readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {SeenEntry} from './compared-trees.ts';
import {errorCode} from '../error-code.ts';

export interface SeenTrees {
  readonly view: string;
  /** The upper layer, on the workspace's own file system. */
  readonly touched: string;
}

const entriesPerTurn = 256;

/** By path. Omits what cannot be inspected, or appears and disappears in the meantime. */
export async function lookBeneath({view, touched}: SeenTrees): Promise<ReadonlyMap<string, SeenEntry>> {
  const seen = new Map<string, SeenEntry>();
  const waiting = [''];
  let count = 0;
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    for (const entry of entriesOf(join(touched, directory))) {
      const path = join(directory, entry.name);
      const upper = inodeOf(join(touched, path));
      const shown = inodeOf(join(view, path));
      if (upper !== undefined && shown !== undefined) seen.set(path, {upper, shown});
      if (entry.isDirectory()) waiting.push(path);
      count += 1;
      if (count % entriesPerTurn === 0) await turn();
    }
  }
  return seen;
}

function entriesOf(directory: string): readonly Dirent[] {
  return orUndefined(() => readdirSync(`${directory}/`, {withFileTypes: true})) ?? [];
}

function inodeOf(path: string): bigint | undefined {
  return orUndefined(() => lstatSync(path, {bigint: true}).ino);
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
