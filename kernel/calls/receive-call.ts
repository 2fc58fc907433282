// Where a call enters: it gets its receipt's id, and stops at once when the workspace is not the one that was loaded.
import {tryCanonicalJson} from '../evidence/index.ts';
import {isIdentifier} from '../names/identifier.ts';
import type {Kernel} from '../context/kernel.ts';
import {isRecord} from '../policy/is-record.ts';
import {callDepthMax, inputBounds} from '../limits.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {refuse, type CallRequest, type ReceivedCall, type Refusal} from './call.ts';

export function receiveCall(kernel: Kernel, given: CallRequest): ReceivedCall | Refusal {
  // A program without type checks can pass anything.
  const request = isRecord(given.context) ? given : {...given, context: {} as CallRequest['context']};
  const {clock, ids, specGuard} = kernel.ports;
  const {execution_metadata} = request.context;
  const metadata = execution_metadata === undefined ? undefined : keepMetadata(execution_metadata);
  const call = {
    request,
    receipt_id: ids.next('rcp'),
    timestamp: clock.timestamp(),
    startedMs: clock.monotonic(),
    execution_metadata: metadata?.ok === true ? metadata.value : undefined,
  };
  if (!specGuard.isIntact()) {
    return refuse(
      call,
      'SPEC_TAMPERED',
      'workspace.yaml has changed or is missing since it was loaded: restart to load it again',
    );
  }
  if (typeof request.name !== 'string') return refuse(call, 'TOOL_NOT_FOUND', 'a tool is called by its name, a string');
  for (const key of ['task_id', 'run_id', 'session_id'] as const) {
    if (!isIdentifier(request.context[key])) {
      return refuse(
        call,
        'TASK_NOT_ACTIVE',
        `\`${key}\` is not a valid id: use letters, digits, \`.\`, \`_\` and \`-\`, at most 128`,
        {key},
      );
    }
  }
  const {dry_run} = request.context;
  if (dry_run !== undefined && typeof dry_run !== 'boolean') {
    return refuse(call, 'INVALID_INPUT', '`dry_run` must be true or false');
  }
  if (metadata?.ok === false) return refuse(call, 'INVALID_INPUT', metadata.problem);
  return refuseChild(call) ?? call;
}

function refuseChild(call: ReceivedCall): Refusal | undefined {
  const {parent} = call.request;
  if (!parent) return undefined;
  if (parent.isOver()) {
    return refuse(call, 'TOOL_CANCELLED', `the call \`${parent.receipt_id}\` that makes this one is over`);
  }
  if (parent.depth < callDepthMax) return undefined;
  return refuse(call, 'LIMIT_EXCEEDED', `calls made by tools nest deeper than ${callDepthMax}`, {
    depth_max: callDepthMax,
  });
}

/** A copy of what the caller says about the call, so that rules and record see the same. */
function keepMetadata(metadata: unknown): Outcome<Readonly<Record<string, unknown>>, string> {
  const written = tryCanonicalJson(metadata, inputBounds);
  if (!written.ok) {
    return failed(`\`execution_metadata\` cannot be kept as JSON without loss: ${written.problem.message}`);
  }
  const kept: unknown = JSON.parse(written.value);
  if (typeof kept === 'object' && kept !== null && !Array.isArray(kept)) return ok({...kept});
  return failed('`execution_metadata` is not an object');
}
