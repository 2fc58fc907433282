// The default executor: a plain child process on this machine, with no sandbox around it.
import type {Readable} from 'node:stream';
import {captureOutput, type BoundedOutput} from './capture-output.ts';
import type {CommandExecutor, ExecutorRunInput, ExecutorRunResult} from './command-executor.ts';
import {findPrlimit, limitCommand} from './rlimits.ts';
import {spawnProcess, type ProcessEnd, type SpawnInput, type StdioEntry} from './spawn-process.ts';

export interface SpawnExecutorOptions {
  /** Between SIGTERM and SIGKILL on timeout and abort; default 500 ms. */
  readonly killGraceMs?: number;
}

export function createSpawnExecutor(options: SpawnExecutorOptions = {}): CommandExecutor {
  return {run: (input) => runCommand(input, options)};
}

async function runCommand(input: ExecutorRunInput, options: SpawnExecutorOptions): Promise<ExecutorRunResult> {
  const limited = limitsOf(input);
  const [command = input.command, ...args] = limited.argv;
  const started = await spawnProcess({...spawnInputOf(input, options), command, args});
  if (input.stdin !== undefined) started.pipes[0]?.end(input.stdin);
  const maxBytes = input.outputSink.kind === 'capture' ? input.outputSink.maxBytes : 0;
  const stdout = capture(started.pipes[1], maxBytes);
  const stderr = capture(started.pipes[2], maxBytes);
  const ended = await started.ended;
  return resultOf(ended, {stdout: stdout(), stderr: stderr(), unenforced: limited.unenforced});
}

function limitsOf(input: ExecutorRunInput): {readonly argv: readonly string[]; readonly unenforced: readonly string[]} {
  const argv = [input.command, ...input.args];
  return input.limits === undefined ? {argv, unenforced: []} : limitCommand(argv, input.limits, findPrlimit());
}

function spawnInputOf(input: ExecutorRunInput, options: SpawnExecutorOptions): Omit<SpawnInput, 'command' | 'args'> {
  const output: StdioEntry = input.outputSink.kind === 'fd' ? input.outputSink.fd : 'pipe';
  return {
    cwd: input.cwd,
    env: input.env,
    stdio: [input.stdin === undefined ? 'ignore' : 'pipe', output, output],
    timeoutMs: input.timeoutMs,
    signal: input.signal,
    onPid: input.onPid,
    killGraceMs: options.killGraceMs,
  };
}

function capture(stream: Readable | null | undefined, maxBytes: number): () => BoundedOutput {
  return stream ? captureOutput(stream, maxBytes) : () => ({text: '', truncated: false});
}

interface Captured {
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
  readonly unenforced: readonly string[];
}

function resultOf(ended: ProcessEnd, captured: Captured): ExecutorRunResult {
  const result = {
    ...ended,
    stdout: captured.stdout.text,
    stderr: captured.stderr.text,
    truncated: captured.stdout.truncated || captured.stderr.truncated,
  };
  return captured.unenforced.length === 0 ? result : {...result, unenforcedLimits: captured.unenforced};
}
