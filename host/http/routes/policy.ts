// Explains the decision about a call. Runs and records nothing.
import {failed, ok, type ExecutionContext, type LaneContext, type Outcome} from '@lumenflow/kernel';
import {okReply, refuse, type Reply} from '../reply.ts';
import type {Route, RouteCall, RouteOf} from '../route.ts';
import {askedLane} from './asked-lane.ts';
import {visibleTask} from './own-task.ts';

interface ExplainQuery {
  readonly tool: string;
  readonly task_id?: string;
  /** Instead of a task: evaluates a new task in this lane. */
  readonly lane?: string;
  /** JSON; default: an empty object. */
  readonly input?: string;
}

const explain: RouteOf<ExplainQuery, unknown> = {
  method: 'GET',
  path: '/v1/policy/explain',
  summary: 'Explains the policy decision for a call',
  role: 'agent',
  query: {
    type: 'object',
    properties: {
      tool: {type: 'string', maxLength: 256},
      task_id: {type: 'string', maxLength: 128},
      lane: {type: 'string', maxLength: 128},
      input: {type: 'string', maxLength: 16_384},
    },
    required: ['tool'],
    not: {required: ['lane', 'task_id']},
    additionalProperties: false,
  },
  answers: {200: 'http_explanation'},
  refuses: [
    'LANE_NOT_FOUND',
    'TASK_NOT_FOUND',
    'TASK_NOT_ACTIVE',
    'TASK_SPEC_CHANGED',
    'SESSION_DENIED',
    'EVIDENCE_UNAVAILABLE',
  ],
  async handle(call) {
    const {tool, input = '{}'} = call.query;
    const asked = await askedFrom(call);
    if (!asked.ok) return asked.problem;
    const parsed = parseInput(input);
    if (!parsed) return refuse('INVALID_INPUT', '`input` is not JSON', {pointer: '/input'});
    return okReply(await call.runtime.explainTool(tool, parsed.value, asked.value));
  },
};

async function askedFrom(
  call: RouteCall<ExplainQuery, unknown>,
): Promise<Outcome<ExecutionContext | LaneContext, Reply>> {
  const {task_id, lane} = call.query;
  if (lane !== undefined) return askedLane(call, lane);
  if (task_id === undefined) {
    return failed(refuse('INVALID_INPUT', 'name the task in `task_id`, or a lane in `lane`'));
  }
  const found = await visibleTask(call, task_id);
  if (!found.ok) return found;
  const {run} = found.value;
  if (run) return ok({task_id, run_id: run.run_id, session_id: run.session_id});
  const message = `task \`${task_id}\` was never claimed: name an active task, or a \`lane\``;
  return failed(refuse('TASK_NOT_ACTIVE', message));
}

function parseInput(text: string): {readonly value: unknown} | undefined {
  try {
    return {value: JSON.parse(text) as unknown};
  } catch {
    // The API reports this error to its caller.
    return undefined;
  }
}

export const policyRoutes: readonly Route[] = [explain];
