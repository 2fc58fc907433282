// The files of a git working tree, without running anything that its configuration names.
import {createSpawnExecutor, type CommandExecutor} from '@lumenflow/sandbox';

export interface GitFilesInput {
  /** Absolute. */
  readonly folder: string;
  readonly searchPath: string;
  /** Also files that git would add, and does not ignore. */
  readonly untracked?: boolean;
  readonly executor?: CommandExecutor;
}

const timeoutMs = 5_000;
const outputMaxBytes = 64 * 1024 * 1024;
/** Prevents the repository's configuration from running programs. */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false'];

/** Paths relative to the folder; undefined without a repository or git. */
export async function gitFiles({
  folder,
  searchPath,
  untracked = false,
  executor = createSpawnExecutor(),
}: GitFilesInput): Promise<readonly string[] | undefined> {
  const {exitCode, stdout} = await executor.run({
    command: 'git',
    args: [...harmless, 'ls-files', '-z', '--cached', ...(untracked ? ['--others', '--exclude-standard'] : [])],
    cwd: folder,
    env: {PATH: searchPath, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null'},
    outputSink: {kind: 'capture', maxBytes: outputMaxBytes},
    timeoutMs,
  });
  return exitCode === 0 ? stdout.split('\0').filter((path) => path !== '') : undefined;
}
