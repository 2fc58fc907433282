// Runs git with safe settings: the repository's own config cannot start other programs, git never prompts, and paths are printed
// unchanged. Callers pass structured arguments only.
import {ToolError, type ExecResult, type ToolContext} from '@lumenflow/pack-sdk';
import {gitError} from './git-error.ts';
import {gitCommand, isLockGone, lockMet} from './left-lock.ts';

/** The part of a call's context that git needs. */
export type GitContext = Pick<ToolContext, 'exec' | 'workspace_root'>;

export interface GitOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `key=value`; overrides the default settings. */
  readonly settings?: readonly string[];
  /** Exit codes that do not mean failure; default only 0. */
  readonly exit_codes?: readonly number[];
  /** Maximum bytes of output; default 8 MiB. More is an error unless `truncate` is set. */
  readonly max_bytes?: number;
  readonly truncate?: boolean;
}

const settings: readonly string[] = [
  'core.quotePath=off',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'color.ui=false',
  'commit.gpgSign=false',
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'protocol.file.allow=never',
];

// Reads only the repository's own config. Its owner can differ from the user inside a sandbox.
const environment: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  LC_ALL: 'C',
};

/** One change of a branch takes up to three locks. */
const locksMax = 5;

/** `args[0]` is the subcommand. Throws the ToolErrors of `gitError`, and OUTPUT_TOO_LARGE. */
export async function runGit(
  context: GitContext,
  args: readonly string[],
  options: GitOptions = {},
): Promise<ExecResult> {
  const subcommand = args[0] ?? '';
  const result = await runUnlocked(context, args, options);
  const cutAsAsked = result.truncated && options.truncate === true;
  if (result.timed_out || (!cutAsAsked && !(options.exit_codes ?? [0]).includes(result.exit_code))) {
    throw gitError(subcommand, result);
  }
  if (result.truncated && !cutAsAsked) {
    throw new ToolError('OUTPUT_TOO_LARGE', `\`git ${subcommand}\` printed too much output: pass fewer paths`);
  }
  return result;
}

/** If git meets a lock, it has changed nothing, so it is retried once the lock is gone. */
async function runUnlocked(
  {exec, workspace_root: root}: GitContext,
  args: readonly string[],
  {stdin, env, settings: more = [], max_bytes = 8 * 1024 * 1024}: GitOptions,
): Promise<ExecResult> {
  const parent = root.replace(/\/[^/]*\/?$/, '') || '/';
  const set = [...settings, ...more].flatMap((setting) => ['-c', setting]);
  const [command, words] = gitCommand(['--no-pager', ...set], args);
  const everyRun = {...environment, GIT_CEILING_DIRECTORIES: parent};
  const input = {env: {...everyRun, ...env}, max_bytes, ...(stdin !== undefined && {stdin})};
  let result = await exec(command, words, input);
  for (let met = 0; met < locksMax; met += 1) {
    const lock = lockMet(result);
    if (lock === undefined || !(await isLockGone({exec}, lock, everyRun))) return result;
    result = await exec(command, words, input);
  }
  return result;
}

/** Matches the path literally, even with wildcards. Throws ToolError INVALID_PATH if it leaves the workspace. */
export function literalPathspec(path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..')) {
    throw new ToolError('INVALID_PATH', `\`${path}\` is not a path within the workspace, relative to its root`, {path});
  }
  return `:(literal)${path}`;
}

/** `--` and the paths; without paths, the whole workspace. */
export function pathArguments(paths: readonly string[] | undefined): readonly string[] {
  return paths === undefined || paths.length === 0 ? ['--'] : ['--', ...paths.map(literalPathspec)];
}
