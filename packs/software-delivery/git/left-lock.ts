// Removes git's stale lock files. A killed git process leaves its lock file behind, which blocks all later changes of that file.
// So git commands that lock files run under a shared OS lock, which ends with the process. A lock file that remains while the OS
// lock is free is stale and is removed.
import type {ExecResult, ToolContext} from '@lumenflow/pack-sdk';

/** The ones that this pack runs. */
const lockTaking: ReadonlySet<string> = new Set([
  'add',
  'commit',
  'read-tree',
  'update-index',
  'update-ref',
  'worktree',
]);

// Without `flock`, git still runs, but no lock is ever removed.
const underSharedLock = [
  'common=$(git rev-parse --git-common-dir 2>/dev/null) && [ -d "$common" ] && exec 9<"$common"',
  'flock --shared --timeout 10 9 2>/dev/null',
  'exec git "$@"',
].join('\n');

// A person's own git can keep the index lock of the main checkout while an editor is open. It keeps other locks only briefly.
const takeAway = [
  'common=$(git rev-parse --path-format=absolute --git-common-dir) || exit 1',
  'case "$1" in "$common/index.lock") exit 1 ;; "$common"/*) ;; *) exit 1 ;; esac',
  `look() { stat -c '%i %.9Y' -- "$1" 2>/dev/null; }`,
  'seen=$(look "$1") || exit 0',
  'sleep 1',
  'exec 9<"$common" && flock --exclusive --timeout 10 9 || exit 1',
  '[ "$(look "$1")" != "$seen" ] || rm -- "$1"',
].join('\n');

/** The command line of git: `options` before the subcommand, then `args`. */
export function gitCommand(options: readonly string[], args: readonly string[]): readonly [string, readonly string[]] {
  const all = [...options, ...args];
  return lockTaking.has(args[0] ?? '') ? ['sh', ['-c', underSharedLock, 'sh', ...all]] : ['git', all];
}

/** Absolute path of the lock file that made git fail; undefined if git succeeded or failed for another reason. */
export function lockMet({exit_code: code, stderr}: ExecResult): string | undefined {
  return code === 0 ? undefined : /Unable to create '(.*\.lock)': File exists/.exec(stderr)?.[1];
}

/** True if the lock file is gone or has been replaced, so that git can be retried. Takes at least a second. */
export async function isLockGone(
  {exec}: Pick<ToolContext, 'exec'>,
  lock: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  return (await exec('sh', ['-c', takeAway, 'sh', lock], {env})).exit_code === 0;
}
