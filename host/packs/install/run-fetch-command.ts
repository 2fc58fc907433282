// Runs one command that fetches a pack, without input or prompts, and with a timeout.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ExecutorRunResult} from '@lumenflow/sandbox';
import type {FetchProblem, InstallContext} from './install-context.ts';

export interface FetchCommand {
  readonly command: 'git' | 'npm' | 'tar';
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `the pack cannot be fetched from …`. */
  readonly failing: string;
}

const timeoutMs = 10 * 60 * 1_000;
const outputMax = 1024 * 1024;
/** Twice the maximum size of a pack. */
const fileSizeMax = 512 * 1024 * 1024;

/** Variables from the user's environment: only network settings, none that change what a command does. */
const networkVariables = [
  'PATH',
  'HOME',
  'SSH_AUTH_SOCK',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

export function networkEnv(env: InstallContext['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    networkVariables.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Returns the command's stdout. Throws when the operation was aborted. */
export async function runFetchCommand(
  {command, args, cwd, env, failing}: FetchCommand,
  {executor, signal}: InstallContext,
): Promise<Outcome<string, FetchProblem>> {
  const ran = await executor.run({
    command,
    args,
    cwd,
    env,
    timeoutMs,
    signal,
    limits: {file_size_bytes: fileSizeMax},
    outputSink: {kind: 'capture', maxBytes: outputMax},
  });
  signal.throwIfAborted();
  if (ran.exitCode === 0) return ok(ran.stdout);
  const message = `${failing}: ${reasonOf(command, ran)}`;
  return failed({code: 'PACK_FETCH_FAILED', message, help: helpOf(command, ran)});
}

/** By exit code: the wrapper that sets the limits starts even if the command does not. */
function isMissing({startError, exitCode}: ExecutorRunResult): boolean {
  return startError !== undefined || exitCode === 127 || exitCode === 126;
}

function reasonOf(command: string, ran: ExecutorRunResult): string {
  const {startError, timedOut, stderr, exitCode} = ran;
  if (isMissing(ran)) return `\`${command}\` does not start: ${startError ?? stderr.trim()}`;
  if (timedOut) return `${command} was not done within ${timeoutMs / 60_000} minutes`;
  if (stderr.includes('dubious ownership')) return 'the repository belongs to another user';
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^(?:fatal|error|npm error):? /u, '').trim())
    .filter((line) => line !== '' && !/complete log of this run|^code E|npm warn/u.test(line));
  return lines.slice(0, 3).join('; ') || `${command} ended with ${exitCode}`;
}

function helpOf(command: string, ran: ExecutorRunResult): string {
  if (isMissing(ran)) return `install ${command}, and see that it is in PATH`;
  // Omit git's own advice, which is to change a configuration that is ignored here.
  if (ran.stderr.includes('dubious ownership')) return 'a repository on this machine must be yours: use your own clone';
  return command === 'git'
    ? 'check `url` and `ref` of the pin with `git ls-remote`; LumenFlow does not ask for passwords'
    : 'look at `package` and `version` of the pin, and try `npm view` with them';
}
