// Files that the index marks as skipped: part of the commit, missing in the working tree, and unchanged for git.
import {runGit, type GitContext, type GitOptions} from './run-git.ts';

export async function indexedPaths(context: GitContext, options: GitOptions = {}): Promise<readonly string[]> {
  return splitPaths((await runGit(context, ['ls-files', '-z'], options)).stdout);
}

export async function skippedPaths(context: GitContext, options: GitOptions = {}): Promise<readonly string[]> {
  const {stdout} = await runGit(context, ['ls-files', '-z', '-t'], options);
  return splitPaths(stdout).flatMap((entry) => (entry.startsWith('S ') ? [entry.slice(2)] : []));
}

export async function markSkipped(
  context: GitContext,
  paths: readonly string[],
  options: GitOptions = {},
): Promise<void> {
  await updateIndex(context, '--skip-worktree', {...options, stdin: joinPaths(paths)});
}

/** Removes the mark from skipped files that exist anyway, created under a scope that names them. */
export async function takeUpSkipped(context: GitContext, options: GitOptions = {}): Promise<void> {
  const skipped = await skippedPaths(context, options);
  if (skipped.length === 0) return;
  const script = `for path; do if [ -e "$path" ] || [ -L "$path" ]; then printf '%s\\0' "$path"; fi; done`;
  const {stdout} = await context.exec('sh', ['-c', script, 'sh', ...skipped]);
  if (stdout !== '') await updateIndex(context, '--no-skip-worktree', {...options, stdin: stdout});
}

async function updateIndex(context: GitContext, mark: string, options: GitOptions): Promise<void> {
  await runGit(context, ['update-index', '-z', mark, '--stdin'], options);
}

function splitPaths(text: string): readonly string[] {
  return text.split('\0').slice(0, -1);
}

function joinPaths(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}
