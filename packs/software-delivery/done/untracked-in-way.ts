// Files that a merge adds and that already exist untracked in a checkout, such as the spec that `wu:create` writes there. `git
// read-tree` refuses to overwrite them, even if they are equal, until they are in the index.
import {literalPathspec, runGit, type GitContext} from '../git/run-git.ts';
import type {MovedBranch} from './moved-branch.ts';

/** As many as fit on a command line. */
const pathsAtOnce = 200;

/** Relative to the checkout that `context` works in. */
export async function untrackedInWay(context: GitContext, {onto, commit}: MovedBranch): Promise<readonly string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=A', onto, commit, '--'];
  const added = namesIn((await runGit(context, args)).stdout);
  const found: string[] = [];
  for (let start = 0; start < added.length; start += pathsAtOnce) {
    const paths = added.slice(start, start + pathsAtOnce).map(literalPathspec);
    found.push(...namesIn((await runGit(context, ['ls-files', '--others', '-z', '--', ...paths])).stdout));
  }
  return found;
}

/** A command that updates the checkout. If an existing file differs, it fails and changes no file. */
export function updateCommand({onto, commit}: MovedBranch, untracked: readonly string[]): string {
  const update = `git read-tree -m -u ${onto.slice(0, 12)} ${commit.slice(0, 12)}`;
  return untracked.length === 0 ? update : `git update-index --add -- ${untracked.map(quoted).join(' ')} && ${update}`;
}

function namesIn(text: string): readonly string[] {
  return text.split('\0').slice(0, -1);
}

function quoted(path: string): string {
  return /^[\w./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
