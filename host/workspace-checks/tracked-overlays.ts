// Warns about deny overlays over files that git tracks: the overlay hides the file, but git's objects still contain it.
import type {Problem} from '@lumenflow/kernel';
import {normalizePath, type Holes} from '@lumenflow/kernel/adapters';
import type {CommandExecutor} from '@lumenflow/sandbox';
import {gitFiles} from './git-files.ts';

export interface TrackedOverlaysInput {
  /** Absolute. */
  readonly workspaceRoot: string;
  readonly holes: Holes;
  readonly searchPath: string;
  readonly executor?: CommandExecutor;
}

/** One warning for each overlay. Empty without a repository, git or an overlay. */
export async function trackedOverlays(input: TrackedOverlaysInput): Promise<readonly Problem[]> {
  const {workspaceRoot, holes, searchPath, executor} = input;
  if (holes.list.every(({where}) => where === undefined)) return [];
  const paths = await gitFiles({folder: workspaceRoot, searchPath, ...(executor && {executor})});
  const tracked = new Map<string, string[]>();
  for (const path of paths ?? []) {
    const normalized = normalizePath(path);
    if (normalized === undefined || !holes.cuts(normalized)) continue;
    const hole = holes.holeOver(normalized);
    if (hole?.where === undefined) continue;
    const hidden = tracked.get(hole.where) ?? [];
    hidden.push(path);
    tracked.set(hole.where, hidden);
  }
  return [...tracked].map(([where, hidden]) => overlaidTracked(where, hidden, holes));
}

function overlaidTracked(where: string, paths: readonly string[], {list}: Holes): Problem {
  const overlay = list.find((hole) => hole.where === where)?.pattern.text ?? '';
  const more = paths.length === 1 ? '' : ` and ${paths.length - 1} more`;
  return {
    code: 'DENY_OVERLAY_TRACKED',
    severity: 'warning',
    message: `\`${overlay}\` hides \`${paths[0] ?? ''}\`${more}, which git tracks: a tool that may read \`.git/objects\` can read every committed version`,
    where,
    help: 'run `git rm --cached` and ignore the file, and revoke the secrets that were committed; or hide `.git` too',
  };
}
