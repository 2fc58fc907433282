// A handler's `context.exec` inside the sandbox: its commands are confined like the handler. It uses no library: the runner is
// read at every cold start.
import type {Readable} from 'node:stream';
import {constants as os} from 'node:os';
import {resolve} from 'node:path';
import type {ExecOptions, ExecResult, ToolContext} from '@lumenflow/pack-sdk/invoke';
import {captureOutput} from '../commands/capture-output.ts';

const maxBytesDefault = 1024 * 1024;
/** A command that has ended does not make its caller wait for background processes. */
const drainMs = 500;

export function createExec(workspaceRoot: string): ToolContext['exec'] {
  return (command, args, options = {}) => runCommand({command, args, options, workspaceRoot});
}

interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: ExecOptions;
  readonly workspaceRoot: string;
}

interface Ended {
  readonly exit_code: number;
  /** Why it did not start. */
  readonly startError?: string;
}

async function runCommand({command, args, options, workspaceRoot}: Run): Promise<ExecResult> {
  const {spawn} = await import('node:child_process');
  const child = spawn(command, [...args], {
    cwd: resolve(workspaceRoot, options.cwd ?? '.'),
    env: {...process.env, ...options.env},
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const maxBytes = options.max_bytes ?? maxBytesDefault;
  const [stdout, stderr] = [captureOutput(child.stdout, maxBytes), captureOutput(child.stderr, maxBytes)];
  // A command that does not read its input closes it. That is not a failure of the command.
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(options.stdin);
  let timedOut = false;
  const kill = (): void => killGroup(child.pid);
  const timer =
    options.timeout_ms === undefined ? undefined : setTimeout(() => ((timedOut = true), kill()), options.timeout_ms);
  const {exit_code, startError} = await new Promise<Ended>((settle) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      settle({exit_code: error.code === 'ENOENT' ? 127 : 126, startError: startProblem(command, error)}),
    );
    child.once('exit', (code, signal) => settle({exit_code: code ?? 128 + (signal === null ? 0 : os.signals[signal])}));
  });
  clearTimeout(timer);
  if (startError === undefined) await drain([child.stdout, child.stderr], kill);
  return {
    stdout: stdout().text,
    stderr: startError ?? stderr().text,
    exit_code,
    truncated: stdout().truncated || stderr().truncated,
    timed_out: timedOut,
  };
}

/** The system reports the same for all that can be missing. */
function startProblem(command: string, {code, message}: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') {
    return `\`${command}\`, its interpreter or its working directory does not exist in the sandbox (${message})\n`;
  }
  return code === 'EACCES' ? `\`${command}\` is not an executable file (${message})\n` : `${message}\n`;
}

async function drain(streams: readonly Readable[], kill: () => void): Promise<void> {
  const closed = Promise.all(
    streams.map((stream) => new Promise<void>((done) => (stream.closed ? done() : stream.once('close', () => done())))),
  );
  const timer = setTimeout(() => {
    kill();
    for (const stream of streams) stream.destroy();
  }, drainMs);
  await closed;
  clearTimeout(timer);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: the whole group has already ended.
  }
}
