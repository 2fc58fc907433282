// A workspace that a view is a whole copy of, made by hand.
import {existsSync, lstatSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {CopiedEntries} from './compared-trees.ts';

export function asCopied(root: string): CopiedEntries {
  return {
    isWhole: true,
    has: () => true,
    directory(path) {
      const directory = join(root, path);
      if (!existsSync(directory) || !lstatSync(directory).isDirectory()) return undefined;
      return {names: readdirSync(directory), ino: lstatSync(directory, {bigint: true}).ino};
    },
    isUntouched: () => false,
  };
}
