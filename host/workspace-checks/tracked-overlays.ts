// Warns about deny overlays over files that git tracks: the overlay hides the file, but git's objects still contain it.
import type {Problem} from '@lumenflow/kernel';
import {normalizePath, type Holes} from '@lumenflow/kernel/adapters';
import {createSpawnExecutor, type CommandExecutor} from '@lumenflow/sandbox';

export interface TrackedOverlaysInput {
  /** Absolute. */
  readonly workspaceRoot: string;
  readonly holes: Holes;
  readonly searchPath: string;
  readonly executor?: CommandExecutor;
}

const timeoutMs = 5_000;
const outputMaxBytes = 64 * 1024 * 1024;
/** Prevents the repository's configuration from running programs. */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false'];

/** One warning for each overlay. Empty without a repository, git or an overlay. */
export async function trackedOverlays(input: TrackedOverlaysInput): Promise<readonly Problem[]> {
  const {workspaceRoot, holes, searchPath, executor = createSpawnExecutor()} = input;
  if (holes.list.every(({where}) => where === undefined)) return [];
  const {exitCode, stdout} = await executor.run({
    command: 'git',
    args: [...harmless, 'ls-files', '-z', '--cached'],
    cwd: workspaceRoot,
    env: {PATH: searchPath, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null'},
    outputSink: {kind: 'capture', maxBytes: outputMaxBytes},
    timeoutMs,
  });
  if (exitCode !== 0) return [];
  const tracked = new Map<string, string[]>();
  for (const path of stdout.split('\0')) {
    const normalized = path === '' ? undefined : normalizePath(path);
    if (normalized === undefined || !holes.cuts(normalized)) continue;
    const hole = holes.holeOver(normalized);
    if (hole?.where === undefined) continue;
    const paths = tracked.get(hole.where) ?? [];
    paths.push(path);
    tracked.set(hole.where, paths);
  }
  return [...tracked].map(([where, paths]) => overlaidTracked(where, paths, holes));
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
