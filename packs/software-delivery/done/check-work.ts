// Checks whether the work of a work unit can be merged: it is on its branch, committed, and within its code paths.
import {ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {namesTrusted, trustedAround} from '@lumenflow/pack-sdk/trusted-paths';
import {compileGlob} from '../files/match-glob.ts';
import {changedPaths, forkPoint} from '../git/changed-paths.ts';
import {findCommit} from '../git/find-commit.ts';
import {codePathPattern} from '../overlaps/code-path-pattern.ts';
import type {PackConfig} from '../pack-config.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';
import {atRoot} from '../worktrees/in-work-tree.ts';
import {uncommittedPaths} from '../worktrees/remove-worktree.ts';

export type DoneContext = ToolContext<PackConfig>;

export interface Work {
  /** Relative to the workspace root. */
  readonly worktree: string;
  readonly branch: string;
  /** Latest commit of the branch. */
  readonly head: string;
  /** Compared with the merge base on the main branch. A renamed file counts with both paths. */
  readonly changed: readonly string[];
  /** Changed, conflicting or untracked in the worktree, and not committed. */
  readonly uncommitted: readonly string[];
  /** Changed outside the code paths, or trusted by programs outside the sandbox and not named by a code path. */
  readonly outside: readonly string[];
}

/** Throws ToolErrors NO_WORKTREE and UNKNOWN_REVISION. */
export async function readWork(context: DoneContext, unit: WorkUnit): Promise<Work> {
  const {worktree, branch, spec} = unit;
  if (worktree === undefined || branch === undefined || !(await isThere(context, worktree))) {
    const message = `\`${spec.id}\` has no worktree: run \`wu:claim\` to create it`;
    throw new ToolError('NO_WORKTREE', message, {id: spec.id, worktree: worktree ?? null});
  }
  const head = await findCommit(context, `refs/heads/${branch}`);
  const from = await forkPoint(context, context.config, head);
  const changed = await changedPaths(context, from, head);
  const allowed = [...spec.code_paths.map(codePathPattern), specPath(context.config, spec.id)];
  const outside = changed.filter((path) => !allowed.some((pattern) => covers(pattern, path)));
  return {worktree, branch, head, changed, uncommitted: await uncommittedPaths(context, worktree), outside};
}

/** Throws ToolErrors WRONG_BRANCH, UNCOMMITTED_WORK, OUTSIDE_CODE_PATHS and NOTHING_TO_MERGE. */
export async function checkWork(context: DoneContext, work: Work, {base}: Pick<WorkUnit, 'base'>): Promise<void> {
  const {worktree, branch, head, uncommitted, outside} = work;
  const there = await findCommit(atRoot(context, worktree), 'HEAD');
  if (there !== head) {
    throw new ToolError('WRONG_BRANCH', `\`${worktree}\` is not on \`${branch}\` any more`, {worktree, branch});
  }
  if (uncommitted.length > 0) {
    throw listed('UNCOMMITTED_WORK', uncommitted, `is not committed: run \`git:add\` and \`git:commit\`, or remove it`);
  }
  if (outside.length > 0) {
    throw listed('OUTSIDE_CODE_PATHS', outside, "is outside the work unit's code paths: revert its change");
  }
  if (head === base) throw new ToolError('NOTHING_TO_MERGE', `\`${branch}\` has no commits to merge`, {branch});
}

async function isThere({fs}: DoneContext, worktree: string): Promise<boolean> {
  return (await fs.stat(`${worktree}/.git`)) !== undefined;
}

/** As for scopes: a file that programs outside the sandbox trust can be changed only if a code path names it. */
function covers(pattern: string, path: string): boolean {
  const trusted = trustedAround(path);
  // In scopes, a pattern without a slash means the root. In globs, it would match in any directory.
  return compileGlob(`/${pattern}`)(path) && (trusted === undefined || namesTrusted(pattern, trusted));
}

function listed(code: string, paths: readonly string[], problem: string): ToolError {
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  return new ToolError(code, `\`${paths[0] ?? ''}\`${more} ${problem}`, {paths: paths.slice(0, 100)});
}
