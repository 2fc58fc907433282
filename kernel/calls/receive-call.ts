// Where a call enters: it gets its receipt's id, and stops at once when the workspace is not the one that was loaded.
import {isIdentifier} from '../identifier.ts';
import type {Kernel} from '../kernel.ts';
import {callDepthMax} from '../limits.ts';
import {refuse, type CallRequest, type ReceivedCall, type Refusal} from './call.ts';

export function receiveCall(kernel: Kernel, request: CallRequest): ReceivedCall | Refusal {
  const {clock, ids, specGuard} = kernel.ports;
  const call = {request, receipt_id: ids.next('rcp'), timestamp: clock.timestamp(), startedMs: clock.monotonic()};
  if (!specGuard.isIntact()) {
    return refuse(call, 'SPEC_TAMPERED', 'workspace.yaml is not the file that was loaded: restart to load it anew');
  }
  if (typeof request.name !== 'string') return refuse(call, 'TOOL_NOT_FOUND', 'a tool is called by its name, a string');
  for (const key of ['task_id', 'run_id', 'session_id'] as const) {
    if (!isIdentifier(request.context[key])) {
      return refuse(
        call,
        'TASK_NOT_ACTIVE',
        `\`${key}\` is no valid id: letters, digits, \`.\`, \`_\` and \`-\`, at most 128`,
        {key},
      );
    }
  }
  if ((request.parent?.depth ?? 0) >= callDepthMax) {
    return refuse(call, 'LIMIT_EXCEEDED', `calls made by tools nest deeper than ${callDepthMax}`, {
      depth_max: callDepthMax,
    });
  }
  return call;
}
