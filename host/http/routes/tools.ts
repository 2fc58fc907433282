// Tools: list and call.
import type {ExecutionContext, GovernedTool, RegisteredTool} from '@lumenflow/kernel';
import {recordedMetadata} from '../../sessions/recorded-metadata.ts';
import {callStatuses} from '../error-status.ts';
import {okReply, refuse} from '../reply.ts';
import {hasRole, type Route, type RouteOf} from '../route.ts';
import {askedLane} from './asked-lane.ts';
import {callerFacts} from './caller-facts.ts';
import {inCallingSession, sessionFields, type SessionFields} from './calling-session.ts';
import {visibleTask} from './own-task.ts';
import {sessionRefusals} from './sessions.ts';

const identifier = {type: 'string', maxLength: 128};

const listTools: RouteOf<{readonly task_id?: string; readonly lane?: string}, unknown> = {
  method: 'GET',
  path: '/v1/tools',
  summary: 'Lists tools with the policy decision for each in a task or lane',
  role: 'agent',
  query: {
    type: 'object',
    properties: {task_id: identifier, lane: identifier},
    not: {required: ['lane', 'task_id']},
    additionalProperties: false,
  },
  answers: {200: 'http_tool_list'},
  refuses: ['LANE_NOT_FOUND', 'TASK_NOT_FOUND', 'TASK_SPEC_CHANGED', 'SESSION_DENIED', 'EVIDENCE_UNAVAILABLE'],
  async handle(call) {
    const {task_id, lane} = call.query;
    const from = callerFacts(call);
    if (lane !== undefined) {
      const asked = askedLane(call, lane);
      if (!asked.ok) return asked.problem;
      return okReply({tools: (await call.runtime.listGovernedTools({...asked.value, ...from})).map(governed)});
    }
    if (task_id !== undefined) {
      const found = await visibleTask(call, task_id);
      if (!found.ok) return found.problem;
      const {run} = found.value;
      return okReply({
        tools: run ? (await call.runtime.listGovernedTools({task_id, ...run, ...from})).map(governed) : [],
      });
    }
    if (!hasRole(call.caller, 'operator')) {
      return refuse(
        'ROLE_DENIED',
        'the list of all tools requires a token with role operator: name one of your tasks in `task_id`, or a `lane`',
      );
    }
    return okReply({tools: [...call.runtime.workspace.tools.values()].toSorted(byName).map(described)});
  },
};

function byName(left: RegisteredTool, right: RegisteredTool): number {
  return left.name < right.name ? -1 : 1;
}

function described(tool: RegisteredTool): object {
  const {name, description, permission, input_schema, output_schema, required_scopes, idempotent, internal_only} =
    tool.declaration;
  const {id: pack_id, version: pack_version} = tool.pack.manifest;
  return {
    name,
    pack_id,
    pack_version,
    description,
    permission,
    input_schema,
    output_schema,
    required_scopes,
    idempotent,
    internal_only,
  };
}

function governed({tool, decision, granted_scopes, policy_decisions}: GovernedTool): object {
  return {...described(tool), decision, granted_scopes, policy_decisions};
}

interface CallBody extends SessionFields {
  readonly input?: unknown;
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  /** Returns the change set in `metadata.changes` and applies nothing. */
  readonly dry_run?: boolean;
}

const callTool: RouteOf<unknown, CallBody> = {
  method: 'POST',
  path: '/v1/tools/:name',
  summary: 'Calls a tool',
  role: 'agent',
  body: {
    type: 'object',
    properties: {
      input: {},
      ...sessionFields.properties,
      execution_metadata: {type: 'object'},
      dry_run: {type: 'boolean'},
    },
    ...sessionFields.rules,
    additionalProperties: false,
  },
  answers: Object.fromEntries(callStatuses.map((status) => [status, 'http_call'])),
  refuses: [...sessionRefusals, 'SESSION_DENIED'],
  callsTool: true,
  async handle(call) {
    const recorded = recordedMetadata(call.body.execution_metadata ?? {});
    if (recorded !== undefined) return refuse('INVALID_INPUT', isRecorded(recorded));
    return await inCallingSession(call, (session) =>
      session.call(call.param('name'), inputOf(call.body), optionsOf(call.body)),
    );
  },
};

function isRecorded(name: string): string {
  return `only LumenFlow records \`${name}\` in \`execution_metadata\`: use another key`;
}

/** A missing input is an empty object. */
function inputOf(body: CallBody): unknown {
  return 'input' in body ? body.input : {};
}

function optionsOf({execution_metadata, dry_run}: CallBody): Pick<ExecutionContext, 'execution_metadata' | 'dry_run'> {
  return {...(execution_metadata && {execution_metadata}), ...(dry_run !== undefined && {dry_run})};
}

export const toolRoutes: readonly Route[] = [listTools, callTool];
