// Threads that run code in QuickJS, each one run at a time. A run that does not end in time ends with its thread.
import {overTime} from '../over-time.ts';
import type {ToolFailure} from '@lumenflow/schemas';
import {Worker} from 'node:worker_threads';
import type {EngineEnd, EngineRun, FromThread, ToThread} from './engine-messages.ts';

/** Answers a request of the code; `args`: a list as JSON. Resolves to JSON, and never rejects. */
export type Serve = (operation: string, args: string) => Promise<string>;

export interface QuickJsThreads {
  /** `signal`: ends the run. Never rejects because of the code. */
  run(run: EngineRun, serve: Serve, signal?: AbortSignal): Promise<EngineEnd>;
  close(): Promise<void>;
}

/** Threads run built JavaScript, even when the host runs from its sources. */
const threadUrl = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/exec/code/quickjs/thread.js' : './thread.js',
  import.meta.url,
);
/** Threads that wait for the next run. */
const idleMax = 2;
/** For an engine that ends itself, before its thread is ended. */
const graceMs = 200;
/** For messages: engines have separate memories. */
const resourceLimits = {maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 8};

interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread ends before. */
  readonly ready: Promise<void>;
}

export function createQuickJsThreads(): QuickJsThreads {
  const threads = new Set<Thread>();
  const idle: Thread[] = [];

  function start(): Thread {
    const worker = new Worker(threadUrl, {env: {}, execArgv: [], resourceLimits});
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('exit', () => reject(new Error('the thread of QuickJS ended while it started')));
    });
    const thread = {worker, ready};
    threads.add(thread);
    // An error ends the thread, which its run reports.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at !== -1) idle.splice(at, 1);
    });
    return thread;
  }

  function keep(thread: Thread): void {
    thread.worker.unref();
    if (idle.length < idleMax && threads.has(thread)) idle.push(thread);
    else void end(thread);
  }

  return {
    async run(run, serve, signal) {
      const thread = idle.pop() ?? start();
      thread.worker.ref();
      // For the next run, which need not wait for the start of a thread.
      if (idle.length === 0) void prepare(start(), keep);
      const ended = await runIn(thread, run, serve, signal);
      if (ended.isUsable) keep(thread);
      else void end(thread);
      return ended.end;
    },
    async close() {
      await Promise.all([...threads].map(end));
    },
  };
}

async function prepare(thread: Thread, keep: (thread: Thread) => void): Promise<void> {
  thread.worker.unref();
  if (await isReady(thread)) keep(thread);
}

/** Node 20 can abort the whole process if a thread ends while it starts. */
async function end(thread: Thread): Promise<void> {
  await isReady(thread);
  await thread.worker.terminate();
}

async function isReady({ready}: Thread): Promise<boolean> {
  return await ready.then(
    () => true,
    () => false,
  );
}

interface ThreadEnd {
  readonly end: EngineEnd;
  readonly isUsable: boolean;
}

async function runIn(thread: Thread, run: EngineRun, serve: Serve, signal?: AbortSignal): Promise<ThreadEnd> {
  const {worker} = thread;
  if (!(await isReady(thread))) return lost({code: 'TOOL_CRASHED', message: 'the thread of the code did not start'});
  return await new Promise((resolve) => {
    const finish = (ended: ThreadEnd): void => {
      clearTimeout(timer);
      worker.off('message', receive).off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      resolve(ended);
    };
    const receive = (message: FromThread): void => {
      if (message.kind === 'request') void answer(worker, message, serve);
      else if (message.kind === 'end') finish({end: message.end, isUsable: true});
    };
    const onExit = (): void => finish(lost(crashed(run)));
    const onAbort = (): void => finish(lost({code: 'TOOL_CANCELLED', message: 'the code was cancelled'}));
    const timer = setTimeout(() => finish(lost(overTime(run.wallMs))), run.wallMs + graceMs);
    worker.on('message', receive).once('exit', onExit);
    signal?.addEventListener('abort', onAbort, {once: true});
    if (signal?.aborted === true) return onAbort();
    send(worker, {kind: 'run', run});
  });
}

async function answer(
  worker: Worker,
  {run, id, operation, args}: Extract<FromThread, {kind: 'request'}>,
  serve: Serve,
): Promise<void> {
  send(worker, {kind: 'reply', run, id, answer: await serve(operation, args)});
}

function send(worker: Worker, message: ToThread): void {
  // Not a window: a thread has no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  worker.postMessage(message);
}

/** What the code printed is lost with the thread. */
function lost(failure: ToolFailure): ThreadEnd {
  return {end: {stdout: '', stderr: '', truncated: false, failure}, isUsable: false};
}

function crashed({memoryBytes}: EngineRun): ToolFailure {
  const message = 'the code ended the thread of its engine, probably by its memory';
  return {code: 'LIMIT_EXCEEDED', message, details: {limit: 'memory_bytes', memory_bytes: memoryBytes}};
}
