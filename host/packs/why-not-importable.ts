// Node cannot import ES modules from a folder with a backslash in its path: its URL would contain `%5C`, which Node rejects. Only
// other systems than Windows have such folders.
import {sep} from 'node:path';
import type {Unresolved} from './resolve-pack.ts';

/** Why code below one of these absolute paths could not run; undefined if it could. */
export function whyNotImportable(folders: readonly string[]): Unresolved | undefined {
  const folder = folders.find((path) => sep === '/' && path.includes('\\'));
  if (folder === undefined) return undefined;
  return {
    message: `the path \`${folder}\` contains a backslash, and Node cannot import modules from it`,
    help: 'rename the folder that has a backslash in its name',
  };
}
