// The repository's local branches.
import {runGit, type GitContext} from './run-git.ts';

export interface Branch {
  readonly name: string;
  /** The commit that it is at. */
  readonly head: string;
  /** The one that HEAD is on. */
  readonly current: boolean;
  /** Subject of its last commit. */
  readonly summary: string;
  /** When that was committed: ISO 8601. */
  readonly date: string;
  readonly upstream?: {readonly name: string; readonly ahead?: number; readonly behind?: number; readonly gone?: true};
  /** Relative to the workspace root where it lies in it: the worktree that has it checked out. */
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

/** `under` is the beginning of names, in whole segments, such as `lane/core`. Sorted by name. */
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

/** `[ahead 1, behind 2]`, `[gone]`, or nothing when both are at the same commit. */
function readTrack(track: string): {readonly ahead?: number; readonly behind?: number; readonly gone?: true} {
  if (track === '[gone]') return {gone: true};
  return {ahead: Number(/ahead (\d+)/.exec(track)?.[1] ?? 0), behind: Number(/behind (\d+)/.exec(track)?.[1] ?? 0)};
}
