// Runs local handlers in this process, with the SDK's one way of running a handler. A function cannot be killed: after a timeout or
// a cancel the call ends, and what the function still does reaches nothing of it.
import {invoke, ToolError, type ToolContext} from '@lumenflow/pack-sdk/invoke';
import type {ToolOutput, WireMessage} from '@lumenflow/schemas';
import {cancelledBeforeStart, failedOutput, type Pool, type PoolCall} from '../pool/index.ts';
import {localModules} from './create-local-pack.ts';
import type {LocalHandler, LocalHandlers} from './local-handler.ts';

/** A pool that also runs local handlers. They can change: a call runs the one that there is when it starts. */
export function withLocalHandlers(pool: Pool, handlers: LocalHandlers): Pool {
  return {
    ...pool,
    async run(call) {
      const {tool_name: name, handler_entry} = call.invocation;
      if (!handler_entry.startsWith(localModules)) return await pool.run(call);
      const handler = handlers[name];
      if (handler === undefined) return failedOutput('TOOL_EXECUTION_FAILED', `the handler of \`${name}\` was removed`);
      return call.signal?.aborted === true ? cancelledBeforeStart() : await runHandler(call, handler);
    },
  };
}

async function runHandler(
  {invocation, signal, timeoutMs, onMessage}: PoolCall,
  handler: LocalHandler,
): Promise<ToolOutput> {
  let listener: ((message: WireMessage) => void) | undefined;
  const deliver = (message: WireMessage): void => listener?.(message);
  const channel = {
    send: (message: WireMessage): void =>
      onMessage(message, async (answer, content) => deliver(withContent(answer, content))),
    onMessage: (next: (message: WireMessage) => void): void => void (listener = next),
  };
  const importModule = async (): Promise<Readonly<Record<string, unknown>>> => ({run: handler.run.bind(handler)});
  // The function gets a copy, as in a thread.
  const own = {...invocation, input: structuredClone(invocation.input)};
  const running = invoke(own, {channel, exec, importModule});
  let end = (_output: ToolOutput): void => {};
  const ended = new Promise<ToolOutput>((resolve) => (end = resolve));
  const stop = (output: ToolOutput): void => {
    deliver({type: 'cancel', reason: output.error?.message ?? ''});
    end(output);
  };
  const cancel = (): void => stop(failedOutput('TOOL_CANCELLED', 'the call was cancelled'));
  const timer = setTimeout(
    () => stop(failedOutput('TOOL_TIMEOUT', `the tool did not finish within ${timeoutMs} ms`, {timeout_ms: timeoutMs})),
    timeoutMs,
  );
  signal?.addEventListener('abort', cancel, {once: true});
  try {
    return await Promise.race([running, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

function withContent(message: WireMessage, content: Uint8Array | undefined): WireMessage {
  if (content === undefined || message.type !== 'response') return message;
  return {...message, value: {content_base64: Buffer.from(content).toString('base64')}};
}

const exec: ToolContext['exec'] = async (command) => {
  throw new ToolError('EXEC_NEEDS_SANDBOX', `\`${command}\` cannot be run in the host's process: use a tool of a pack`);
};
