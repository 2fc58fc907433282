// The exec facade: finding, describing, running and chaining tools.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ChainLimits, ChainStep} from '@lumenflow/schemas';
import {toolChainShape} from '@lumenflow/schemas/shapes';
import {
  createDiscovery,
  createExec,
  createToolCatalogue,
  type Discovery,
  type DocOptions,
  type RunOptions,
  type SearchOptions,
  type ToolCatalogue,
} from '../../exec/index.ts';
import {okReply, refuse, type Reply} from '../reply.ts';
import {hasRole, type HttpHost, type Route, type RouteCall, type RouteOf} from '../route.ts';
import {answersOfCall} from './answers-of-call.ts';
import {askedLane} from './asked-lane.ts';
import {inCallingSession, sessionFields, type SessionFields} from './calling-session.ts';
import {createCodeRoute} from './code-route.ts';
import {visibleTask} from './own-task.ts';
import {sessionRefusals} from './sessions.ts';

interface AskedQuery {
  /** An active task, or a new one in the lane; default the first lane. */
  readonly task_id?: string;
  readonly lane?: string;
}

const identifier = {type: 'string', maxLength: 128};
const asked = {task_id: identifier, lane: identifier};
const askedRefusals = [
  'LANE_NOT_FOUND',
  'TASK_NOT_FOUND',
  'TASK_SPEC_CHANGED',
  'SESSION_DENIED',
  'TASK_NOT_ACTIVE',
] as const;

export function createExecRoutes(host: HttpHost): readonly Route[] {
  const catalogue = createToolCatalogue(host.runtime);
  return [
    searchRoute(catalogue),
    namespacesRoute(catalogue),
    docRoute(catalogue),
    runRoute(catalogue),
    chainRoute(catalogue),
    createCodeRoute(),
  ];
}

function searchRoute(
  catalogue: ToolCatalogue,
): RouteOf<AskedQuery & SearchOptions & {readonly query: string}, unknown> {
  return {
    method: 'GET',
    path: '/v1/exec/search',
    summary: 'Finds tools by what they do, best match first',
    role: 'agent',
    query: {
      type: 'object',
      properties: {
        query: {type: 'string', maxLength: 1_000},
        limit: {type: 'integer', minimum: 1, maximum: 100},
        namespace: {type: 'string', maxLength: 64},
        permission: {type: 'string', enum: ['read', 'write', 'admin']},
        ...asked,
      },
      required: ['query'],
      not: {required: ['lane', 'task_id']},
      additionalProperties: false,
    },
    answers: {200: 'http_tool_search'},
    refuses: askedRefusals,
    async handle(call) {
      const found = await discoveryOf(call, catalogue);
      return found.ok ? okReply({tools: await found.value.searchTools(call.query.query, call.query)}) : found.problem;
    },
  };
}

function namespacesRoute(catalogue: ToolCatalogue): RouteOf<AskedQuery, unknown> {
  return {
    method: 'GET',
    path: '/v1/exec/namespaces',
    summary: 'Lists the namespaces of tools',
    role: 'agent',
    query: {type: 'object', properties: asked, not: {required: ['lane', 'task_id']}, additionalProperties: false},
    answers: {200: 'http_namespace_list'},
    refuses: askedRefusals,
    async handle(call) {
      const found = await discoveryOf(call, catalogue);
      return found.ok ? okReply({namespaces: await found.value.listNamespaces()}) : found.problem;
    },
  };
}

function docRoute(catalogue: ToolCatalogue): RouteOf<AskedQuery & DocOptions, unknown> {
  return {
    method: 'GET',
    path: '/v1/exec/tools/:id',
    summary: 'Describes a tool',
    role: 'agent',
    query: {
      type: 'object',
      properties: {
        level: {type: 'string', enum: ['summary', 'schema', 'full']},
        max_examples: {type: 'integer', minimum: 0, maximum: 20},
        ...asked,
      },
      not: {required: ['lane', 'task_id']},
      additionalProperties: false,
    },
    answers: {200: 'exec.schema.json#/$defs/tool_doc'},
    refuses: [...askedRefusals, 'TOOL_NOT_FOUND'],
    async handle(call) {
      const found = await discoveryOf(call, catalogue);
      if (!found.ok) return found.problem;
      const doc = await found.value.getToolDoc(call.param('id'), call.query);
      return doc.ok ? okReply(doc.value) : refuse('TOOL_NOT_FOUND', doc.problem.message, doc.problem.details);
    },
  };
}

interface RunBody extends SessionFields, Pick<RunOptions, 'timeout_ms' | 'validate_output'> {
  readonly tool: string;
  readonly args?: unknown;
}

function runRoute(catalogue: ToolCatalogue): RouteOf<unknown, RunBody> {
  return {
    method: 'POST',
    path: '/v1/exec/run',
    summary: 'Calls a tool and returns its value',
    role: 'agent',
    body: {
      type: 'object',
      properties: {
        tool: {type: 'string', maxLength: 256},
        args: {type: 'object'},
        timeout_ms: {type: 'integer', minimum: 1, maximum: 86_400_000},
        validate_output: {type: 'boolean'},
        ...sessionFields.properties,
      },
      required: ['tool'],
      ...sessionFields.rules,
      additionalProperties: false,
    },
    answers: answersOfCall('http_tool_run'),
    refuses: [...sessionRefusals, 'SESSION_DENIED'],
    callsTool: true,
    handle: async (call) =>
      await inCallingSession(call, (session) => {
        const {tool, args = {}, timeout_ms, validate_output} = call.body;
        const exec = createExec({runtime: call.runtime, catalogue}, {session});
        return exec.runTool(tool, args, {timeout_ms, validate_output, signal: call.signal});
      }),
  };
}

interface ChainBody extends SessionFields {
  readonly steps: readonly ChainStep[];
  readonly limits?: ChainLimits;
}

function chainRoute(catalogue: ToolCatalogue): RouteOf<unknown, ChainBody> {
  return {
    method: 'POST',
    path: '/v1/exec/chain',
    summary: 'Calls several tools, one after the other',
    role: 'agent',
    body: {
      type: 'object',
      properties: {...toolChainShape.properties, ...sessionFields.properties},
      required: ['steps'],
      ...sessionFields.rules,
      additionalProperties: false,
    },
    answers: answersOfCall('http_chain_result'),
    refuses: [...sessionRefusals, 'SESSION_DENIED'],
    callsTool: true,
    handle: async (call) =>
      await inCallingSession(call, (session) => {
        const exec = createExec({runtime: call.runtime, catalogue}, {session});
        return exec.runChain(call.body.steps, {limits: call.body.limits, signal: call.signal});
      }),
  };
}

async function discoveryOf(
  call: RouteCall<AskedQuery, unknown>,
  catalogue: ToolCatalogue,
): Promise<Outcome<Discovery, Reply>> {
  const {runtime, caller, query} = call;
  const from = {surface: 'http', is_operator: hasRole(caller, 'operator')} as const;
  if (query.task_id === undefined) {
    const lane = askedLane(call, query.lane ?? runtime.workspace.spec.lanes[0].id);
    if (!lane.ok) return lane;
    return ok(createDiscovery(catalogue, (among) => runtime.listGovernedTools({...lane.value, ...from}, among)));
  }
  const task = await visibleTask(call, query.task_id);
  if (!task.ok) return task;
  const {task_id, run} = task.value;
  if (!run)
    return failed(
      refuse('TASK_NOT_ACTIVE', `task \`${task_id}\` was never claimed: name an active task, or a \`lane\``),
    );
  return ok(createDiscovery(catalogue, (among) => runtime.listGovernedTools({task_id, ...run, ...from}, among)));
}
