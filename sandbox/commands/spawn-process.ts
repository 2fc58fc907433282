// The one place that starts a process: in its own process group, with exactly the given descriptors and environment. The whole
// group ends on timeout, on abort and once its leader has ended.
import type {Duplex} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {constants as os} from 'node:os';
import {createGuard, killGroup, type Guard, type Supervision} from './process-guard.ts';
import {refHandles} from './ref-handles.ts';

export type StdioEntry = 'ignore' | 'pipe' | number;

export interface SpawnInput extends Supervision {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** By descriptor, from 0. */
  readonly stdio: readonly ['ignore' | 'pipe', StdioEntry, StdioEntry, ...StdioEntry[]];
  /** How it is killed; default SIGKILL to its group, which is sent in any case once its leader has ended. */
  readonly killWith?: (pid: number) => void;
  readonly onPid?: ((pid: number) => void) | undefined;
}

export interface ProcessEnd {
  readonly exitCode: number;
  readonly signal?: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly durationMs: number;
  /** Why it did not start. */
  readonly startError?: string;
}

export interface SpawnedProcess {
  /** Undefined if it did not start. */
  readonly pid: number | undefined;
  /** Our ends of the pipes, by descriptor; a pipe beyond 2 goes both ways. */
  readonly pipes: readonly (Duplex | null | undefined)[];
  /** Once the leader has ended, its group was killed and its output was read. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  kill(): void;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
}

/** For a process that was not started. */
const nothing: Omit<SpawnedProcess, 'pipes' | 'ended'> = {
  pid: undefined,
  kill: () => undefined,
  keepAlive: () => undefined,
};

export async function spawnProcess(input: SpawnInput): Promise<SpawnedProcess> {
  const {execa} = await import('execa');
  const startedAt = performance.now();
  if (input.signal?.aborted === true) return neverStarted(input.signal);
  const child = execa(input.command, [...input.args], {
    cwd: input.cwd,
    env: {...input.env},
    extendEnv: false,
    // Its types leave descriptors out; its documentation and code take them.
    stdio: [...input.stdio] as ['ignore' | 'pipe', 'pipe', 'pipe', ...'pipe'[]],
    buffer: false,
    reject: false,
    detached: true,
    cleanup: false,
  });
  const pipes = child.stdio as unknown as readonly (Duplex | null | undefined)[];
  for (const pipe of pipes) pipe?.on('error', () => pipe.destroy());
  if (child.pid === undefined) {
    return {...nothing, pipes, ended: child.then((failure) => failedStart(failure))};
  }
  const pid = child.pid;
  input.onPid?.(pid);
  const guard = createGuard(pid, input.killWith ?? ((leader) => killGroup(leader, 'SIGKILL')));
  guard.supervise(input);
  const ended = awaitEnd({guard, pid, pipes, exit: onceExited(child), result: child, startedAt});
  return {pid, pipes, ended, kill: guard.kill, keepAlive: (on) => refHandles([child, ...pipes], on)};
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Ending {
  readonly guard: Guard;
  readonly pid: number;
  readonly pipes: readonly (Duplex | null | undefined)[];
  readonly exit: Promise<Exit>;
  readonly result: PromiseLike<unknown>;
  readonly startedAt: number;
}

async function awaitEnd({guard, pid, pipes, exit, result, startedAt}: Ending): Promise<ProcessEnd> {
  const {code, signal} = await exit;
  const durationMs = performance.now() - startedAt;
  guard.close();
  await releasePipes({pid, pipes, result, graceMs: guard.drainMs()});
  const exitCode = code ?? 128 + (signal === null ? 0 : os.signals[signal]);
  const reason = guard.endReason();
  const facts = {exitCode, timedOut: reason === 'timeout', aborted: reason === 'abort', durationMs};
  return signal === null ? facts : {...facts, signal};
}

/** The leader is gone; processes that it left may keep its pipes open indefinitely, so they are ended too. */
async function releasePipes(left: {
  readonly pid: number;
  readonly pipes: readonly (Duplex | null | undefined)[];
  readonly result: PromiseLike<unknown>;
  readonly graceMs: number;
}): Promise<void> {
  const drained = left.result.then((): true => true);
  const settled = await within(drained, left.graceMs);
  killGroup(left.pid, 'SIGKILL');
  if (settled) return;
  // What the group had written is still in the pipes: one more turn to read it.
  await within(drained, 50);
  for (const pipe of left.pipes) pipe?.destroy();
  await drained;
}

/** Returns whether `done` was fulfilled in time. Leaves no timer, which would keep a program alive that has nothing more to do. */
async function within(done: PromiseLike<true>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, {signal: timer.signal}).catch(() => false);
  const isDone = await Promise.race([done, late]);
  timer.abort();
  return isDone;
}

function onceExited(child: {
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
}): Promise<Exit> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({code, signal})));
}

interface StartFailure {
  readonly code?: string | undefined;
  readonly originalMessage?: string | undefined;
  readonly shortMessage?: string | undefined;
}

function failedStart(failure: StartFailure): ProcessEnd {
  return {
    exitCode: failure.code === 'ENOENT' ? 127 : 126,
    timedOut: false,
    aborted: false,
    durationMs: 0,
    startError: failure.originalMessage ?? failure.shortMessage ?? 'the process did not start',
  };
}

function neverStarted(signal: AbortSignal): SpawnedProcess {
  const startError = `aborted before it was started: ${String(signal.reason)}`;
  const ended: ProcessEnd = {exitCode: 126, timedOut: false, aborted: true, durationMs: 0, startError};
  return {...nothing, pipes: [], ended: Promise.resolve(ended)};
}
