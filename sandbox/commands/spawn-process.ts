// The one place that starts a process: in a group of its own, with exactly the descriptors and the
// environment it is given, ended as a whole on timeout, on abort and once its leader has ended.
import type {Duplex} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import {constants as os} from 'node:os';

export type StdioEntry = 'ignore' | 'pipe' | number;

export interface SpawnInput {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** By descriptor, from 0. */
  readonly stdio: readonly ['ignore' | 'pipe', StdioEntry, StdioEntry, ...StdioEntry[]];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Between asking the process to end and SIGKILL to its group; default 500 ms. */
  readonly killGraceMs?: number;
  /** How it is asked to end; default SIGTERM to its group. */
  readonly askToEnd?: (reason: EndReason) => void;
  readonly onPid?: (pid: number) => void;
}

export type EndReason = 'timeout' | 'abort';

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
  /** Undefined when it did not start. */
  readonly pid: number | undefined;
  /** Our ends of the pipes, by descriptor; a pipe beyond 2 goes both ways. */
  readonly pipes: readonly (Duplex | null | undefined)[];
  /** Once the leader has ended, its group was killed and its output was read. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** SIGKILL to the whole group. */
  kill(): void;
}

const killGraceMsDefault = 500;

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
    return {pid: undefined, pipes, ended: child.then((failure) => failedStart(failure)), kill: () => undefined};
  }
  const pid = child.pid;
  input.onPid?.(pid);
  const ended = supervise({input, pid, pipes, exit: onceExited(child), result: child, startedAt});
  return {pid, pipes, ended, kill: () => killGroup(pid, 'SIGKILL')};
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Supervision {
  readonly input: SpawnInput;
  readonly pid: number;
  readonly pipes: readonly (Duplex | null | undefined)[];
  readonly exit: Promise<Exit>;
  readonly result: PromiseLike<unknown>;
  readonly startedAt: number;
}

async function supervise({input, pid, pipes, exit, result, startedAt}: Supervision): Promise<ProcessEnd> {
  const graceMs = input.killGraceMs ?? killGraceMsDefault;
  let reason: EndReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const end = (why: EndReason): void => {
    if (reason !== undefined) return;
    reason = why;
    if (input.askToEnd === undefined) killGroup(pid, 'SIGTERM');
    else input.askToEnd(why);
    killTimer = setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
  };
  const onAbort = (): void => end('abort');
  input.signal?.addEventListener('abort', onAbort, {once: true});
  const wallTimer = input.timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), input.timeoutMs);
  const {code, signal} = await exit;
  const durationMs = performance.now() - startedAt;
  clearTimeout(wallTimer);
  clearTimeout(killTimer);
  input.signal?.removeEventListener('abort', onAbort);
  await releasePipes({pid, pipes, result, graceMs: reason === undefined ? graceMs : 0});
  const exitCode = code ?? 128 + (signal === null ? 0 : os.signals[signal]);
  const facts = {exitCode, timedOut: reason === 'timeout', aborted: reason === 'abort', durationMs};
  return signal === null ? facts : {...facts, signal};
}

/** The leader is gone; what it left behind may hold its pipes open for as long as it likes, so it is ended too. */
async function releasePipes(left: {
  readonly pid: number;
  readonly pipes: readonly (Duplex | null | undefined)[];
  readonly result: PromiseLike<unknown>;
  readonly graceMs: number;
}): Promise<void> {
  const drained = left.result.then(() => true);
  const settled = await Promise.race([drained, delay(left.graceMs, false, {ref: true})]);
  killGroup(left.pid, 'SIGKILL');
  if (settled) return;
  // What the group had written is still in the pipes: one more turn to read it.
  await Promise.race([drained, delay(50)]);
  for (const pipe of left.pipes) pipe?.destroy();
  await drained;
}

function onceExited(child: {
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
}): Promise<Exit> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({code, signal})));
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the whole group has ended already, which is what was wanted.
  }
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
  return {pid: undefined, pipes: [], ended: Promise.resolve(ended), kill: () => undefined};
}
