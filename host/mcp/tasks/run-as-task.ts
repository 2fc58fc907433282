// A call that runs as a task. If it needs approval, the task waits for the answer and then repeats the call, so the client needs
// to do nothing but poll.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {CallToolRequest, CallToolResult, ServerContext} from '@modelcontextprotocol/server';
import type {Conversation} from '../conversation.ts';
import type {handleToolsCall} from '../handle-tools-call.ts';
import {isToolResult} from '../offered-result.ts';
import type {TaskWork} from '../task-store.ts';

export interface TaskCall {
  readonly request: CallToolRequest;
  readonly context: ServerContext;
  readonly call: typeof handleToolsCall;
}

export async function runAsTask(
  conversation: Conversation,
  {request, context, call}: TaskCall,
  {signal, report}: TaskWork,
): Promise<CallToolResult> {
  const detached = {...context, mcpReq: {...context.mcpReq, signal}};
  for (;;) {
    // Without capabilities, the client is not asked: its request is answered already.
    const result = await call(conversation, request, {context: detached, capabilities: {}});
    if (!isToolResult(result))
      throw new Error('the call asks the client, which a task cannot do: call the tool without a task');
    const pending = pendingRequest(result);
    if (pending === undefined || signal.aborted) return result;
    report(pending.remedy);
    await answered(conversation.runtime, pending.requestId, signal);
    if (signal.aborted) {
      const {by} = conversation.session;
      await conversation.runtime.withdrawApproval({
        request_id: pending.requestId,
        by,
        reason: 'its task was cancelled',
      });
      return result;
    }
    report('the request was answered: the call is repeated');
  }
}

function pendingRequest({
  structuredContent = {},
}: CallToolResult): {readonly requestId: string; readonly remedy: string} | undefined {
  const {code, remedy, details} = structuredContent as {
    readonly code?: unknown;
    readonly remedy?: unknown;
    readonly details?: {readonly request_id?: unknown};
  };
  if (code !== 'APPROVAL_REQUIRED' || typeof details?.request_id !== 'string') return undefined;
  return {requestId: details.request_id, remedy: `waits for approval: ${String(remedy)}`};
}

const pollMs = 1_000;

/** Resolves once the request is no longer pending, also if another process answered it; or when the signal aborts. */
async function answered(runtime: KernelRuntime, requestId: string, signal: AbortSignal): Promise<void> {
  const isPending = (): boolean =>
    runtime.listApprovals().some(({request_id, state}) => request_id === requestId && state === 'pending');
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      runtime.refresh().then(check, check);
    }, pollMs);
    const stop = runtime.events.subscribe({types: ['approval_resolved']}, () => setImmediate(check));
    signal.addEventListener('abort', end, {once: true});
    if (signal.aborted) end();
    function check(): void {
      if (!isPending()) end();
    }
    function end(): void {
      clearInterval(timer);
      signal.removeEventListener('abort', end);
      stop();
      resolve();
    }
  });
}
