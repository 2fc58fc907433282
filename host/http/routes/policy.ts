// What would become of a call, and why; nothing is run or recorded.
import {ok, refuse} from '../reply.ts';
import type {Route, RouteOf} from '../route.ts';
import {visibleTask} from './own-task.ts';

interface ExplainQuery {
  readonly tool: string;
  readonly task_id: string;
  /** JSON; default an empty object. */
  readonly input?: string;
}

const explain: RouteOf<ExplainQuery, unknown> = {
  method: 'GET',
  path: '/v1/policy/explain',
  role: 'agent',
  query: {
    type: 'object',
    properties: {
      tool: {type: 'string', maxLength: 256},
      task_id: {type: 'string', maxLength: 128},
      input: {type: 'string', maxLength: 16_384},
    },
    required: ['tool', 'task_id'],
    additionalProperties: false,
  },
  async handle(call) {
    const {tool, task_id, input = '{}'} = call.query;
    const found = await visibleTask(call, task_id);
    if ('refusal' in found) return found.refusal;
    const {run} = found.task;
    if (!run)
      return refuse('TASK_NOT_ACTIVE', `task \`${task_id}\` was never claimed: calls are explained in an active task`);
    const parsed = parseInput(input);
    if (!parsed) return refuse('INVALID_INPUT', '`input` is not JSON', {pointer: '/input'});
    const {run_id, session_id} = run;
    return ok(await call.runtime.explainTool(tool, parsed.value, {task_id, run_id, session_id}));
  },
};

function parseInput(text: string): {readonly value: unknown} | undefined {
  try {
    return {value: JSON.parse(text) as unknown};
  } catch {
    // The caller of the API is told.
    return undefined;
  }
}

export const policyRoutes: readonly Route[] = [explain];
