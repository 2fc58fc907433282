// The repository's worktrees, its main one first.
import {runGit, type GitContext} from '../git/run-git.ts';

export interface Worktree {
  /** Relative to the workspace root if inside it. `.` is the workspace itself. */
  readonly path: string;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Null before the first commit. */
  readonly head: string | null;
  readonly locked?: true;
  /** Its folder is missing, or is not a worktree any more. */
  readonly missing?: true;
}

export async function listWorktrees(context: GitContext): Promise<readonly Worktree[]> {
  const {stdout} = await runGit(context, ['worktree', 'list', '--porcelain', '-z']);
  return parseWorktrees(stdout, context.workspace_root);
}

/** Parses `git worktree list --porcelain -z`: a NUL after each line, another after each worktree. */
function parseWorktrees(text: string, workspaceRoot: string): readonly Worktree[] {
  return text
    .split('\0\0')
    .filter((record) => record !== '')
    .map((record) => readWorktree(record.split('\0'), workspaceRoot));
}

function readWorktree(lines: readonly string[], workspaceRoot: string): Worktree {
  const fields = new Map(lines.map((line) => splitAt(line, line.indexOf(' '))));
  const path = fields.get('worktree') ?? '';
  const head = fields.get('HEAD');
  return {
    path: path === workspaceRoot ? '.' : path.replace(`${workspaceRoot}/`, ''),
    branch: fields.get('branch')?.replace('refs/heads/', '') ?? null,
    head: head === undefined || /^0+$/.test(head) ? null : head,
    ...(fields.has('locked') && {locked: true as const}),
    ...(fields.has('prunable') && {missing: true as const}),
  };
}

function splitAt(line: string, at: number): readonly [string, string] {
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}
