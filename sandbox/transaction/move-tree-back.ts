// Moves a tree back that one rename brought into the workspace, if it is unchanged: otherwise somebody has worked in it.
import {lstatSync, readdirSync, renameSync} from 'node:fs';
import {basename, join} from 'node:path';
import {openDirectoryOnce} from '../files/open-directory-once.ts';
import {parentSegments} from '../files/open-directory.ts';
import {identity} from './entry.ts';
import type {Step} from './step.ts';

export interface MovedTree {
  /** The workspace. */
  readonly root: string;
  /** Where it came from. */
  readonly source: string;
  /** Of the tree itself. */
  readonly step: Step;
  /** The steps inside it, by path. */
  readonly inside: ReadonlyMap<string, Step>;
}

/** False if it stays in place. */
export function moveTreeBack({root, source, step, inside}: MovedTree): boolean {
  const directory = openDirectoryOnce(root, parentSegments(step.path));
  try {
    const target = directory.child(basename(step.path));
    if (!isAsApplied(target, step.path, new Map([...inside, [step.path, step]]))) return false;
    renameSync(target, source);
    return true;
  } catch {
    // The tree cannot be inspected, so its entries are undone one by one, as far as possible.
    return false;
  } finally {
    directory.close();
  }
}

function isAsApplied(place: string, path: string, steps: ReadonlyMap<string, Step>): boolean {
  const stat = lstatSync(place, {bigint: true});
  const step = steps.get(path);
  if (step === undefined || identity(stat) !== step.gets) return false;
  const {content} = step;
  if (content !== undefined && (stat.size !== BigInt(content.bytes) || String(stat.mtimeNs) !== content.mtime))
    return false;
  return (
    !stat.isDirectory() || readdirSync(place).every((name) => isAsApplied(join(place, name), `${path}/${name}`, steps))
  );
}
