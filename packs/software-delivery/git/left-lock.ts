// Git's lock files. Whatever changes a repository takes one and removes it; killed in between it leaves it, and then nobody
// can change that file any more. So what takes locks runs under a shared lock of the operating system, which ends with its
// process, whatever ended it: a lock file that stays where it is while nobody has that one was left, and is taken away.
import type {ExecResult, ToolContext} from '@lumenflow/pack-sdk';

/** Those that this pack runs. */
const lockTaking: ReadonlySet<string> = new Set([
  'add',
  'commit',
  'read-tree',
  'update-index',
  'update-ref',
  'worktree',
]);

// Where there is no `flock` it runs all the same, and nothing is ever taken away.
const underSharedLock = [
  'common=$(git rev-parse --git-common-dir 2>/dev/null) && [ -d "$common" ] && exec 9<"$common"',
  'flock --shared --timeout 10 9 2>/dev/null',
  'exec git "$@"',
].join('\n');

// A person's own git holds the index of the main checkout for as long as an editor is open; other locks for a moment only.
const takeAway = [
  'common=$(git rev-parse --path-format=absolute --git-common-dir) || exit 1',
  'case "$1" in "$common/index.lock") exit 1 ;; "$common"/*) ;; *) exit 1 ;; esac',
  `look() { stat -c '%i %.9Y' -- "$1" 2>/dev/null; }`,
  'seen=$(look "$1") || exit 0',
  'sleep 1',
  'exec 9<"$common" && flock --exclusive --timeout 10 9 || exit 1',
  '[ "$(look "$1")" != "$seen" ] || rm -- "$1"',
].join('\n');

/** The command line that runs git: `options` before the subcommand, `args` from it on. */
export function gitCommand(options: readonly string[], args: readonly string[]): readonly [string, readonly string[]] {
  const all = [...options, ...args];
  return lockTaking.has(args[0] ?? '') ? ['sh', ['-c', underSharedLock, 'sh', ...all]] : ['git', all];
}

/** Absolute path of the lock file that git met; undefined when it failed for something else, or not at all. */
export function lockMet({exit_code: code, stderr}: ExecResult): string | undefined {
  return code === 0 ? undefined : /Unable to create '(.*\.lock)': File exists/.exec(stderr)?.[1];
}

/** Whether the lock file is gone, or another one now, so that git is worth running again. Takes a second and more. */
export async function isLockGone(
  {exec}: Pick<ToolContext, 'exec'>,
  lock: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  return (await exec('sh', ['-c', takeAway, 'sh', lock], {env})).exit_code === 0;
}
