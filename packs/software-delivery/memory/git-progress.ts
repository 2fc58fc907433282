// The git progress of a WU: the changes in its worktree since its branch started.
import {isToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {runGit, type GitContext} from '../git/run-git.ts';
import type {WorkUnit} from '../work-units/work-unit.ts';

export interface GitProgress {
  readonly branch: string;
  readonly head: string;
  /** `git diff --stat` of all tracked files, committed or not. */
  readonly diff_stat: string;
  readonly untracked: readonly string[];
}

const statLines = 40;

/** Returns a text with the reason if git fails. */
export async function readGitProgress(
  context: GitContext & Pick<ToolContext, 'fs'>,
  unit: Pick<WorkUnit, 'worktree' | 'base'> | undefined,
): Promise<GitProgress | string> {
  try {
    return await progressIn(await worktreeOf(context, unit?.worktree), unit?.base ?? 'HEAD');
  } catch (error) {
    if (!isToolError(error)) throw error;
    return error.message;
  }
}

async function progressIn(git: GitContext, base: string): Promise<GitProgress> {
  const text = async (...args: string[]): Promise<string> =>
    (await runGit(git, args, {exit_codes: [0, 1], max_bytes: 256 * 1024, truncate: true})).stdout.trimEnd();
  const stat = await runGit(git, ['diff', '--stat=100', `--stat-count=${statLines}`, '--no-ext-diff', base, '--']);
  const untracked = await text('ls-files', '-z', '--others', '--exclude-standard');
  return {
    branch: (await text('symbolic-ref', '--quiet', '--short', 'HEAD')) || 'detached',
    head: await text('rev-parse', '--short=12', 'HEAD'),
    diff_stat: stat.stdout.trimEnd(),
    untracked: untracked.split('\0').filter((path) => path !== ''),
  };
}

/** A released WU may have no worktree. In that case the workspace itself is used. */
async function worktreeOf(
  {exec, workspace_root: root, fs}: GitContext & Pick<ToolContext, 'fs'>,
  worktree: string | undefined,
): Promise<GitContext> {
  if (worktree === undefined || (await fs.stat(worktree))?.kind !== 'directory') return {exec, workspace_root: root};
  return {
    workspace_root: `${root}/${worktree}`,
    exec: async (command, args, options) => await exec(command, args, {...options, cwd: worktree}),
  };
}
