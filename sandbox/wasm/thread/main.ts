// The program of a thread that runs WebAssembly modules: one call after the other, each in a fresh instance. It never returns to an
// event loop.
import {readlinkSync} from 'node:fs';
import {workerData} from 'node:worker_threads';
import {invoke, ToolError} from '@lumenflow/pack-sdk/invoke';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {InvalidModule} from '../module/read-sections.ts';
import {ModuleTooLarge, pageBytes} from '../module/bound-module.ts';
import {threadCpuMs} from '../thread-cpu-ms.ts';
import {slots, type ThreadData, type ThreadLimits} from '../thread-messages.ts';
import {BlockingWire} from './blocking-wire.ts';
import {GuestCall} from './guest-call.ts';
import {loadModule} from './load-module.ts';
import {OutOfMemory, runModule} from './run-module.ts';
import {WebAssembly, type WasmModule} from './web-assembly.ts';

/** A larger memory would stay until the garbage collector runs. */
const reusableBytes = 16 * 1024 * 1024;

const {port, shared} = workerData as ThreadData;
const wire = new BlockingWire({port, shared});
Atomics.store(shared, slots.threadId, ownThreadId());

void serveCalls();

async function serveCalls(): Promise<never> {
  for (;;) {
    const limits = wire.start();
    Atomics.store(shared, slots.cpuMsAtStart, threadCpuMs(Atomics.load(shared, slots.threadId)) ?? 0);
    const message = wire.receive();
    if (message.type === 'invoke') await serve(message.invocation, limits);
  }
}

async function serve(invocation: Invocation, limits: ThreadLimits): Promise<void> {
  const call = new GuestCall(invocation, limits, {wire, shared});
  let outOfMemory: Error | undefined;
  const output = await invoke(invocation, {
    channel: {send: (sent) => wire.send(sent), onMessage: () => undefined},
    onLoaded: () => wire.send({type: 'loaded'}),
    exec: async () => {
      throw new ToolError('EXEC_NEEDS_SANDBOX', 'a WebAssembly module cannot run commands');
    },
    async importModule(path) {
      try {
        return entriesOf(loadModule(path, limits.memoryBytes), call, (error) => (outOfMemory = error));
      } catch (error) {
        if (error instanceof ModuleTooLarge) outOfMemory = error;
        throw error instanceof InvalidModule ? new ToolError('TOOL_EXECUTION_FAILED', error.message) : error;
      }
    },
  });
  if (outOfMemory === undefined) return sendResult(output);
  const why = Buffer.from(`${outOfMemory.message}\n`);
  wire.post({kind: 'stderr', bytes: why, over: {reusable: isReusable(), outOfMemory: true}});
}

type Entries = Readonly<Record<string, () => unknown>>;

/** Each export as a handler. */
function entriesOf(module: WasmModule, call: GuestCall, onOutOfMemory: (error: Error) => void): Entries {
  // An object with a `then` would be taken for a promise.
  const names = WebAssembly.Module.exports(module).filter(({kind, name}) => kind === 'function' && name !== 'then');
  return Object.fromEntries(
    names.map(({name}) => [
      name,
      () => {
        try {
          return runModule(module, name, call);
        } catch (error) {
          if (error instanceof OutOfMemory) onOutOfMemory(error);
          throw error;
        }
      },
    ]),
  );
}

/** Replaces an output that is too large for a frame with an error. */
function sendResult(output: ToolOutput): void {
  const over = {reusable: isReusable(), outOfMemory: false};
  try {
    wire.send({type: 'result', output}, over);
  } catch (error) {
    const message = `the output cannot be sent: ${error instanceof Error ? error.message : String(error)}`;
    wire.send({type: 'result', output: {success: false, error: {code: 'LIMIT_EXCEEDED', message}}}, over);
  }
}

function isReusable(): boolean {
  return Atomics.load(shared, slots.pages) * pageBytes <= reusableBytes;
}

/** As the kernel counts the thread's processor time. */
function ownThreadId(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    // Not Linux.
    return 0;
  }
}
