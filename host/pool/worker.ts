// The program of a pool thread: runs its calls one at a time with `invoke` of the SDK. Piscina starts it as built JavaScript, by
// this file's path.
import {AsyncLocalStorage} from 'node:async_hooks';
import {MessageChannel, parentPort, threadId} from 'node:worker_threads';
import type {Invocation, ToolOutput} from '@lumenflow/schemas';
import {importFile, invoke, ToolError, type ToolContext} from '@lumenflow/pack-sdk/invoke';
import {captureOutput} from './capture-output.ts';
import {guardThread} from './guard-thread.ts';
import {beginCall, readTasks} from './thread-batch.ts';
import {createThreadCall, type ThreadCall} from './thread-call.ts';
import type {CallMessage, ContentTaken, ThreadAnswer, ThreadHello, ThreadTask} from './thread-message.ts';

type RunBatch = (task: ThreadTask | string) => Promise<string>;

/** Accepts a ThreadTask, or the calls' text for a single one; returns a ThreadAnswer as JSON text. Never rejects. */
export const runBatch: RunBatch = startThread();

function startThread(): RunBatch {
  // Identifies the call whose code is running, also for code that a handler left running when it returned.
  const calls = new AsyncLocalStorage<ThreadCall>();
  const {port1: port, port2} = new MessageChannel();
  const modules = new Map<string, ReturnType<typeof importFile>>();
  let current: ThreadCall | undefined;

  // Node's own module cache costs more than the rest of an empty call.
  function importModule(path: string): ReturnType<typeof importFile> {
    const known = modules.get(path);
    if (known !== undefined) return known;
    const module = importFile(path);
    modules.set(path, module);
    // The call that imports it receives the failure; the next call tries again.
    module.catch(() => modules.delete(path));
    return module;
  }

  // The host answers the hello with an empty message once it listens; no handler runs before that.
  const connected = new Promise<void>((resolve) => {
    port.on('message', (received: CallMessage | null) => {
      if (received === null) resolve();
      else {
        if (received.call === current?.id) current.deliver(received.message);
        if (carriesContent(received)) port.postMessage({call: received.call, taken: true} satisfies ContentTaken);
      }
    });
  });
  captureOutput((level, text) => calls.getStore()?.print(level, text));
  guardThread(() => calls.getStore()?.isOpen() !== false);
  const hello: ThreadHello = {thread_id: threadId, port: port2};
  parentPort?.postMessage(hello, [port2]);

  async function runOne(id: number, invocation: Invocation): Promise<ToolOutput> {
    const call = createThreadCall(id, port);
    current = call;
    const home = {channel: call.channel, exec, importModule};
    const output = await calls.run(call, invoke, invocation, home);
    call.close();
    current = undefined;
    return output;
  }

  return async (given) => {
    await connected;
    const {calls: text, states} = typeof given === 'string' ? {calls: given, states: undefined} : given;
    const startedMs = performance.now();
    const tasks = readTasks(text);
    let output: ToolOutput | undefined;
    for (const [index, task] of tasks.entries()) {
      if (!beginCall(states, index)) continue;
      const result = await runOne(task.call, task.invocation);
      const message: CallMessage = {call: task.call, message: {type: 'result', output: result}};
      if (index === tasks.length - 1) output = result;
      else port.postMessage(message);
    }
    const end = {thread_id: threadId, duration_ms: performance.now() - startedMs};
    const answer: ThreadAnswer = output === undefined ? end : {...end, output};
    return JSON.stringify(answer);
  };
}

/** The host waits for this message. */
function carriesContent({message}: CallMessage): boolean {
  return message.type === 'response' && isObject(message.value) && 'content_base64' in message.value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const exec: ToolContext['exec'] = async (command) => {
  throw new ToolError(
    'EXEC_NEEDS_SANDBOX',
    `\`${command}\` cannot be run from a pool thread: declare the tool with \`handler: subprocess\``,
  );
};
