// The program of a pool thread: runs one call at a time by pack-sdk's invoke. Piscina starts it as
// built JavaScript, by this file's path.
import {AsyncLocalStorage} from 'node:async_hooks';
import {MessageChannel, parentPort, threadId} from 'node:worker_threads';
import {importFile, invoke, ToolError, type ToolContext} from '@lumenflow/pack-sdk/invoke';
import {captureOutput} from './capture-output.ts';
import {guardThread} from './guard-thread.ts';
import {createThreadCall, type ThreadCall} from './thread-call.ts';
import type {CallMessage, ThreadAnswer, ThreadHello, ThreadTask} from './thread-message.ts';

/** Takes a ThreadTask and gives a ThreadAnswer, both as JSON text. Never rejects. */
export const runCall: (task: string) => Promise<string> = startThread();

function startThread(): (task: string) => Promise<string> {
  // Tells whose code is running, also for code that a handler left behind when it returned.
  const calls = new AsyncLocalStorage<ThreadCall>();
  const {port1: port, port2} = new MessageChannel();
  const modules = new Map<string, ReturnType<typeof importFile>>();
  let current: ThreadCall | undefined;

  // Node's own cache costs more than the rest of a call that does nothing.
  async function importModule(path: string): ReturnType<typeof importFile> {
    const known = modules.get(path);
    if (known !== undefined) return await known;
    const module = importFile(path);
    modules.set(path, module);
    return await module;
  }

  // The host answers the hello with an empty message once it listens: no handler runs before.
  const connected = new Promise<void>((resolve) => {
    port.on('message', (received: CallMessage | null) => {
      if (received === null) resolve();
      else if (received.call === current?.id) current.deliver(received.message);
    });
  });
  captureOutput((level, text) => calls.getStore()?.print(level, text));
  guardThread(() => calls.getStore()?.isOpen() !== false);
  const hello: ThreadHello = {thread_id: threadId, port: port2};
  parentPort?.postMessage(hello, [port2]);

  return async (text) => {
    await connected;
    const task = JSON.parse(text) as ThreadTask;
    const call = createThreadCall(task.call, port);
    current = call;
    const home = {channel: call.channel, exec, importModule};
    const output = await calls.run(call, async () => await invoke(task.invocation, home));
    call.close();
    current = undefined;
    const answer: ThreadAnswer = {thread_id: threadId, output};
    return JSON.stringify(answer);
  };
}

const exec: ToolContext['exec'] = async (command) => {
  throw new ToolError(
    'EXEC_NEEDS_SANDBOX',
    `\`${command}\` cannot be run from a pool thread: declare the tool with \`handler: subprocess\``,
  );
};
