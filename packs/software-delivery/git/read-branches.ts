// The repository's local branches.
import {runGit, type GitContext} from './run-git.ts';

export interface Branch {
  readonly name: string;
  /** The branch's commit. */
  readonly head: string;
  /** True for the branch of HEAD. */
  readonly current: boolean;
  /** Subject of its latest commit. */
  readonly summary: string;
  /** Commit date: ISO 8601. */
  readonly date: string;
  readonly upstream?: {readonly name: string; readonly ahead?: number; readonly behind?: number; readonly gone?: true};
  /** The worktree that has it checked out. Relative to the workspace root if inside it. */
  readonly worktree?: string;
}

const fields = [
  '%(refname:lstrip=2)',
  '%(objectname)',
  '%(HEAD)',
  '%(contents:subject)',
  '%(committerdate:iso-strict)',
  '%(upstream:short)',
  '%(upstream:track)',
  '%(worktreepath)',
];

/** `under` is a prefix of whole segments, for example `lane/core`. Sorted by name. */
export async function readBranches(
  context: GitContext,
  repositoryRoot: string,
  under = '',
): Promise<readonly Branch[]> {
  const pattern = under === '' ? 'refs/heads' : `refs/heads/${under}`;
  const {stdout} = await runGit(context, ['for-each-ref', `--format=${fields.join('%00')}%00`, '--', pattern]);
  return stdout
    .split('\0\n')
    .slice(0, -1)
    .map((record) => readBranch(record.split('\0'), repositoryRoot));
}

function readBranch(values: readonly string[], repositoryRoot: string): Branch {
  const [name = '', head = '', mark, summary = '', date = '', upstream = '', track = '', place = ''] = values;
  return {
    name,
    head,
    current: mark === '*',
    summary,
    date,
    ...(upstream !== '' && {upstream: {name: upstream, ...readTrack(track)}}),
    ...(place !== '' && {worktree: place === repositoryRoot ? '.' : place.replace(`${repositoryRoot}/`, '')}),
  };
}

/** `[ahead 1, behind 2]`, `[gone]`, or empty if both are at the same commit. */
function readTrack(track: string): {readonly ahead?: number; readonly behind?: number; readonly gone?: true} {
  if (track === '[gone]') return {gone: true};
  return {ahead: Number(/ahead (\d+)/.exec(track)?.[1] ?? 0), behind: Number(/behind (\d+)/.exec(track)?.[1] ?? 0)};
}
