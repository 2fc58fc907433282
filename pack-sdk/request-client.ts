// The handler's side of the wire: requests that await their answer, and the call's cancellation.
// Once the call is over nothing more leaves through it.
import type {RequestMethod, WireMessage, WireResponse} from '@lumenflow/schemas';
import {ToolError} from './tool-error.ts';
import type {Channel} from './wire.ts';

export interface RequestClient {
  /** The answer's value; rejects with the answer's error as ToolError. */
  request(method: RequestMethod, params: Record<string, unknown>): Promise<unknown>;
  /** Dropped when the call is over. */
  send(message: WireMessage): void;
  /** Aborts when the host cancels the call. */
  signal(): AbortSignal;
  /** Rejects what is still waiting. */
  close(): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: ToolError): void;
}

export function createRequestClient(channel: Channel): RequestClient {
  const waiting = new Map<number, Waiting>();
  let controller: AbortController | undefined;
  let cancelReason: ToolError | undefined;
  let lastId = 0;
  let open = true;

  function cancel(reason: string): void {
    cancelReason ??= new ToolError('TOOL_CANCELLED', reason);
    controller?.abort(cancelReason);
  }

  channel.onMessage((message) => {
    if (message.type === 'response') settle(waiting, message);
    else if (message.type === 'cancel') cancel(message.reason);
  });

  return {
    signal() {
      controller ??= new AbortController();
      if (cancelReason !== undefined) controller.abort(cancelReason);
      return controller.signal;
    },
    send(message) {
      if (open) channel.send(message);
    },
    async request(method, params) {
      if (!open) throw callOver();
      const id = ++lastId;
      return await new Promise((resolve, reject) => {
        waiting.set(id, {resolve, reject});
        channel.send({type: 'request', id, method, params});
      });
    },
    close() {
      open = false;
      for (const entry of waiting.values()) entry.reject(callOver());
    },
  };
}

function settle(waiting: Map<number, Waiting>, response: WireResponse): void {
  const entry = waiting.get(response.id);
  waiting.delete(response.id);
  if (entry === undefined) return;
  const {error} = response;
  if (error === undefined) entry.resolve(response.value);
  else entry.reject(new ToolError(error.code, error.message, error.details));
}

function callOver(): ToolError {
  return new ToolError(
    'TOOL_CANCELLED',
    'the call is over: await everything that the handler starts before it returns',
  );
}
