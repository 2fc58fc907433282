import {followWithin, type Tree} from './follow-within.ts';

/** Relative to the root, `''` for the root; undefined if the path leaves it or has circular links. See `followWithin`. */
export async function resolveWithin(tree: Tree, path: string): Promise<string | undefined> {
  const destination = await followWithin(tree, path);
  return destination.kind === 'inside' ? destination.path : undefined;
}
