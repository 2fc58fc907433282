// Runs an admitted call's handler where it belongs, and listens to it while it runs.
import type {ToolOutput} from '@lumenflow/schemas';
import type {Kernel} from '../kernel.ts';
import {logLengthMax, progressLengthMax, progressRecordsMax} from '../limits.ts';
import type {DispatchOutcome} from '../ports.ts';
import type {AdmittedCall, CallRequest} from './call.ts';

export interface CallOutcome extends DispatchOutcome {
  /** The handler's log as JSON Lines, bounded. */
  readonly log: string;
}

type CallTool = (kernel: Kernel, request: CallRequest) => Promise<ToolOutput>;

export async function dispatchCall(kernel: Kernel, call: AdmittedCall, callTool: CallTool): Promise<CallOutcome> {
  const {context, parent, input} = call.request;
  const depth = parent?.depth ?? 0;
  const log: string[] = [];
  let logLength = 0;
  const outcome = await kernel.ports.dispatcher.dispatch({
    receipt_id: call.receipt_id,
    depth,
    tool: call.tool,
    input,
    task_id: call.task.spec.id,
    run_id: call.run.run_id,
    session_id: call.run.session_id,
    lane_id: call.lane.spec.id,
    grant: call.grant,
    scope_enforced: call.scope_enforced,
    ...(context.signal !== undefined && {signal: context.signal}),
    onProgress: progressRecorder(kernel, call),
    onLog(entry) {
      const line = JSON.stringify(entry);
      logLength += line.length + 1;
      if (logLength <= logLengthMax) log.push(line);
    },
    callTool: async (name, childInput) =>
      await callTool(kernel, {
        name,
        input: childInput,
        context,
        parent: {receipt_id: call.receipt_id, depth: depth + 1},
      }),
  });
  return {...outcome, log: log.join('\n')};
}

/** Progress goes to the caller at once and to the log in order; what is too much or too big is dropped from the log. */
function progressRecorder(kernel: Kernel, call: AdmittedCall): (payload: unknown) => void {
  let sequence = 0;
  return (payload) => {
    call.request.context.onProgress?.(payload);
    const text = JSON.stringify(payload) as string | undefined;
    if (text === undefined || text.length > progressLengthMax || sequence >= progressRecordsMax) return;
    sequence += 1;
    const {receipt_id} = call;
    const record = {
      type: 'tool_call_progress' as const,
      timestamp: kernel.ports.clock.timestamp(),
      receipt_id,
      sequence,
      payload,
    };
    // The outcome's record follows in the same log: if this one cannot be written, that one cannot either, and the caller hears it.
    kernel.ports.evidence.append([record], {fsync: false}).catch(() => undefined);
  };
}
