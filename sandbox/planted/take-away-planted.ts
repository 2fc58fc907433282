// The look after a call that wrote directly: a mount protects what is there, not what is made anew. What a call has planted
// where programs outside the sandbox would obey it is moved out of their way, and kept for a person to look at.
import {rename} from 'node:fs/promises';
import {dirname} from 'node:path';
import {childPath, inDirectory, parentSegments} from '../files/open-directory.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';

export interface PlantedInput {
  /** As it was compiled for the call, and again after it. */
  readonly before: CompiledProfile;
  readonly after: CompiledProfile;
  /** Whether a scope names this very path, relative to the workspace: then it may be made. */
  mayWrite(path: string): boolean;
  /** Relative to the workspace: where to keep what is taken away. */
  readonly keptIn: string;
}

export interface Planted {
  /** Relative to the workspace. */
  readonly path: string;
  /** Why it could not be moved; undefined when it was. */
  readonly problem?: string;
}

export async function takeAwayPlanted(input: PlantedInput): Promise<readonly Planted[]> {
  const {workspaceRoot: root} = input.before;
  const known = new Set(input.before.guarded);
  const planted = input.after.guarded
    .filter((path) => !known.has(path))
    .map((path) => path.slice(root.length + 1))
    .filter((path) => !input.mayWrite(path));
  const taken: Planted[] = [];
  // Outermost first: what lay below has gone with it.
  for (const path of planted.toSorted()) {
    if (taken.some((outer) => path.startsWith(`${outer.path}/`))) continue;
    taken.push(await takeAway(root, path, input.keptIn));
  }
  return taken;
}

async function takeAway(root: string, path: string, keptIn: string): Promise<Planted> {
  const kept = `${keptIn}/${path}`;
  try {
    await inDirectory({root, segments: parentSegments(path), make: false}, async (from) => {
      await inDirectory({root, segments: parentSegments(kept), make: true}, async (to) => {
        await rename(childPath(from, nameOf(path)), childPath(to, nameOf(kept)));
      });
    });
    return {path};
  } catch (error) {
    return {path, problem: String(error)};
  }
}

function nameOf(path: string): string {
  const parent = dirname(path);
  return parent === '.' ? path : path.slice(parent.length + 1);
}
