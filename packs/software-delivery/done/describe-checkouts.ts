// Describes the checkouts of the main branch after it moved, each with a command that updates it if it was not updated. The command
// starts from the commit that the checkout really shows, which can be older than the last move. If that commit is unclear, there is no
// command, because a wrong one would make the next commit revert a merge.
import {findCommit} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {runGit, type GitContext} from '../git/run-git.ts';
import {atRoot} from '../worktrees/in-work-tree.ts';
import {listWorktrees} from '../worktrees/list-worktrees.ts';
import type {DoneContext} from './check-work.ts';
import {checkoutBase} from './checkout-base.ts';
import type {MovedBranch} from './moved-branch.ts';
import {untrackedInWay} from './untracked-in-way.ts';
import type {CheckoutUpdate} from './update-checkout.ts';

export interface Checkout extends CheckoutUpdate {
  /** Relative to the workspace root. */
  readonly path: string;
  /** A command that updates the checkout and preserves local changes. */
  readonly update?: string;
}

export interface Checkouts {
  readonly checkouts: readonly Checkout[];
  /** Steps for a person if a checkout was not updated. */
  readonly behind?: string;
}

/** `own` is the result for the workspace's own checkout. */
export async function describeCheckouts(context: DoneContext, own: CheckoutUpdate | undefined): Promise<Checkouts> {
  const main = await mainBranch(context, context.config);
  const commit = await findCommit(context, `refs/heads/${main}`);
  const checkouts: Checkout[] = [];
  const commands: string[] = [];
  const remarks: string[] = [];
  for (const {path, branch, missing} of await listWorktrees(context)) {
    if (branch !== main || missing === true) continue;
    const isOwn = path === '.';
    const place = isOwn ? context : atRoot(context, path);
    const {base, unclear} = await checkoutBase(place, commit);
    if (base === commit) {
      checkouts.push({path, updated: true});
      continue;
    }
    const reason = isOwn ? own?.reason : undefined;
    const {notes, command} =
      base === undefined ? {notes: unclearNotes(unclear)} : await findSteps(place, main, {onto: base, commit});
    const update = command === undefined ? {} : {update: command};
    checkouts.push({path, updated: false, ...(reason !== undefined && {reason}), ...update});
    const inside = isOwn ? '' : `cd ${quoted(path)} && `;
    if (command !== undefined) commands.push(`${inside}${command}`);
    remarks.push(...notes);
  }
  if (commands.length + remarks.length === 0) return {checkouts};
  const behind = `\`${main}\` has moved, but a checkout of it has not. A commit there would revert this work.${commands.length === 0 ? '' : ' Run first:'}`;
  // One command per line, so that none is cut.
  return {checkouts, behind: [behind, ...commands, ...remarks].join('\n')};
}

interface Steps {
  /** What a person must know, or do before the command. */
  readonly notes: readonly string[];
  readonly command?: string;
}

async function findSteps(context: GitContext, main: string, moved: MovedBranch): Promise<Steps> {
  const {equal, different} = await untrackedInWay(context, moved);
  const notes =
    different.length === 0 ? [] : [`(before that, move away ${listed(different)}: untracked, and not as merged)`];
  const add = equal.length === 0 ? '' : `git update-index --add -- ${equal.map(quoted).join(' ')} && `;
  if (!(await meetsChanges(context, moved))) return {notes, command: `${add}${readTree(moved)}`};
  return {
    notes: [...notes, '(you changed files that were merged, so git combines both versions)'],
    command: `${add}${viaStash(main, moved)}`,
  };
}

function readTree({onto, commit}: MovedBranch): string {
  return `git read-tree -m -u ${onto.slice(0, 12)} ${commit.slice(0, 12)}`;
}

/** From the commit that the checkout shows, so that the stash contains the person's changes only. */
function viaStash(main: string, {onto}: MovedBranch): string {
  return `git update-ref --no-deref HEAD ${onto.slice(0, 12)} && git stash && git checkout ${quoted(main)} && git stash pop`;
}

/** True if an uncommitted change is in a file that the branch changed. */
async function meetsChanges(context: GitContext, {onto, commit}: MovedBranch): Promise<boolean> {
  const names = ['--name-only', '--no-renames', '-z'];
  const {stdout: merged} = await runGit(context, ['diff-tree', '-r', ...names, onto, commit, '--']);
  const {stdout: changed} = await runGit(context, ['diff', '--no-ext-diff', ...names, '--']);
  const paths = new Set(merged.split('\0').slice(0, -1));
  return changed.split('\0').some((path) => paths.has(path));
}

function unclearNotes(paths: readonly string[]): readonly string[] {
  return [
    '(no command can update it: its staged changes and recent merges are in the same files, or it is far behind)',
    `(in each of these files, \`git restore --staged --worktree -- FILE\` discards your change and gets the merged version: ${listed(paths)})`,
  ];
}

function listed(paths: readonly string[]): string {
  const more = paths.length > 20 ? ` and ${paths.length - 20} more` : '';
  return `${paths
    .slice(0, 20)
    .map((path) => `\`${path}\``)
    .join(', ')}${more}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
