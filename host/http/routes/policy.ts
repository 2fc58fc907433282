// Explains the decision about a call. Runs and records nothing.
import {failed, ok, type ExecutionContext, type LaneContext, type Outcome} from '@lumenflow/kernel';
import {countRuleHits} from '../../policies/count-rule-hits.ts';
import {policyMatrix} from '../../policies/policy-matrix.ts';
import {okReply, refuse, type Reply} from '../reply.ts';
import type {Route, RouteCall, RouteOf} from '../route.ts';
import {askedLane} from './asked-lane.ts';
import {callerFacts} from './caller-facts.ts';
import {visibleTask} from './own-task.ts';

interface ExplainQuery {
  readonly tool: string;
  readonly task_id?: string;
  /** Instead of a task: evaluates a new task in this lane. */
  readonly lane?: string;
  /** JSON; default: an empty object. */
  readonly input?: string;
  /** When the call would come in: UTC, ISO 8601 with milliseconds; default now. */
  readonly at?: string;
}

/** UTC, ISO 8601 with milliseconds. */
const instant = {type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'};

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
      at: instant,
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
    const {tool, input = '{}', at} = call.query;
    const asked = await askedFrom(call);
    if (!asked.ok) return asked.problem;
    const parsed = parseInput(input);
    if (!parsed) return refuse('INVALID_INPUT', '`input` is not JSON', {pointer: '/input'});
    return okReply(await call.runtime.explainTool(tool, parsed.value, {...asked.value, ...callerFacts(call)}, at));
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

const matrix: RouteOf<{readonly lane: string}, unknown> = {
  method: 'GET',
  path: '/v1/policy/matrix',
  summary: 'Returns the decision about each tool for agents in a lane, before any input is known',
  role: 'operator',
  query: {
    type: 'object',
    properties: {lane: {type: 'string', maxLength: 128}},
    required: ['lane'],
    additionalProperties: false,
  },
  answers: {200: 'http_policy_matrix'},
  refuses: ['LANE_NOT_FOUND'],
  async handle(call) {
    const asked = askedLane(call, call.query.lane);
    if (!asked.ok) return asked.problem;
    const agent = {by: call.caller.name, surface: 'mcp'} as const;
    const tools = await policyMatrix(call.runtime, {...asked.value, ...agent});
    return okReply({lane_id: call.query.lane, tools});
  },
};

const ruleHits: RouteOf<{readonly since?: string}, unknown> = {
  method: 'GET',
  path: '/v1/policy/rules',
  summary: 'Counts the recorded calls that each rule matched and decided, rules without any included',
  role: 'operator',
  query: {
    type: 'object',
    properties: {since: instant},
    additionalProperties: false,
  },
  answers: {200: 'http_rule_hits'},
  handle: async ({runtime, query}) => okReply(await countRuleHits(runtime, query)),
};

export const policyRoutes: readonly Route[] = [explain, matrix, ruleHits];
