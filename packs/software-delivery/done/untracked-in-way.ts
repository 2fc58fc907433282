// Files that a merge adds and that already exist untracked in a checkout, such as the spec that `wu:create` writes there. `git
// read-tree` refuses to overwrite them, even if they are equal, until they are in the index.
import {literalPathspec, runGit, type GitContext} from '../git/run-git.ts';
import type {MovedBranch} from './moved-branch.ts';

export interface UntrackedFiles {
  /** With the merged content. */
  readonly equal: readonly string[];
  readonly different: readonly string[];
}

/** As many as fit on a command line. */
const pathsAtOnce = 200;

/** Relative to the checkout that `context` works in. */
export async function untrackedInWay(context: GitContext, {onto, commit}: MovedBranch): Promise<UntrackedFiles> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--diff-filter=A', onto, commit, '--'];
  const added = addedIn((await runGit(context, args)).stdout);
  const [equal, different]: [string[], string[]] = [[], []];
  const paths = [...added.keys()];
  for (let start = 0; start < paths.length; start += pathsAtOnce) {
    const page = paths.slice(start, start + pathsAtOnce).map(literalPathspec);
    const {stdout} = await runGit(context, ['ls-files', '--others', '-z', '--', ...page]);
    for (const path of stdout.split('\0').slice(0, -1)) {
      const isEqual = (await hashOf(context, path)) === added.get(path);
      (isEqual ? equal : different).push(path);
    }
  }
  return {equal, different};
}

/** Blobs by path. */
function addedIn(raw: string): ReadonlyMap<string, string> {
  const words = raw.split('\0');
  const entries = words.flatMap((word, at): readonly (readonly [string, string])[] => {
    const blob = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) A$/u.exec(word)?.[1];
    return blob === undefined || at % 2 === 1 ? [] : [[words[at + 1] ?? '', blob]];
  });
  return new Map(entries);
}

/** As git would store it; undefined if it is not a readable file. */
async function hashOf(context: GitContext, path: string): Promise<string | undefined> {
  const {exit_code: code, stdout} = await runGit(context, ['hash-object', '--', path], {exit_codes: [0, 128]});
  return code === 0 ? stdout.trim() : undefined;
}
