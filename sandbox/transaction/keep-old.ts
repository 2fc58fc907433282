// Keeps what a call had replaced at paths that a person has changed since, so that neither version is lost.
import {mkdir, rename} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {undefinedIfMissing} from '../files/undefined-if-missing.ts';
import type {Step} from './step.ts';

/** Relative to the workspace. */
export const recoveredFolder = '.lumenflow/recovered';

export interface KeptFrom {
  readonly root: string;
  /** The transaction's own folder. */
  readonly folder: string;
  /** Of the transaction. */
  readonly id: string;
}

/** Returns the folder, relative to the workspace. */
export async function keepOld(left: readonly Step[], {root, folder, id}: KeptFrom): Promise<string> {
  const kept = `${recoveredFolder}/${id}/before`;
  for (const {path, number} of left) {
    const to = join(root, kept, path);
    await mkdir(dirname(to), {recursive: true, mode: 0o700});
    await undefinedIfMissing(rename(join(folder, 'old', String(number)), to));
  }
  return kept;
}
