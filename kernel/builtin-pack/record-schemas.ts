// JSON Schemas of the input and output of the kernel's own tools: tasks, runs, approvals, receipts and lanes. What has a schema in the
// package of schemas comes from there.
import {callResultShape, identifierShape, scopeShape, taskSpecShape, taskStateShape} from '@lumenflow/schemas/shapes';

export type JsonSchema = Readonly<Record<string, unknown>>;

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object of exactly these keys, those of `required` always there. */
export function closed(properties: Properties, required: readonly string[] = []): JsonSchema {
  return {type: 'object', additionalProperties: false, properties, required: [...required]};
}

export function listOf(items: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return {type: 'array', items, ...more};
}

export const text: JsonSchema = {type: 'string'};
export const identifier: JsonSchema = identifierShape;
export const count: JsonSchema = {type: 'integer', minimum: 0};
export const taskState: JsonSchema = taskStateShape;
export const scope: JsonSchema = scopeShape;

const {title, description, declared_scopes, tool_scopes, blocked_by, metadata} = taskSpecShape.properties;

/** Of a task's spec: what a pack may set when it creates a task, and change while the task is ready. */
export const changeable: Properties = {title, description, declared_scopes, tool_scopes, blocked_by, metadata};

export const taskRun: JsonSchema = closed(
  {run_id: text, session_id: text, by: text, claimed_at: text, process_id: text},
  ['run_id', 'session_id', 'by', 'claimed_at'],
);

const recordProperties: Properties = {
  task_id: text,
  lane_id: text,
  task_type: text,
  spec_hash: text,
  state: taskState,
  created_at: text,
  amended_at: text,
  run: taskRun,
  blocked_reason: text,
  cancelled_reason: text,
  completed_at: text,
  evidence_refs: listOf(text),
};
const recordKeys = ['task_id', 'lane_id', 'spec_hash', 'state', 'created_at'];

export const taskRecord: JsonSchema = closed(recordProperties, recordKeys);
export const listedTask: JsonSchema = closed(
  {
    ...recordProperties,
    active_at: {
      type: 'string',
      description:
        'When its owner last made a call in it that was not denied; now while a call runs; absent before the first.',
    },
  },
  recordKeys,
);
export const taskView: JsonSchema = closed({...recordProperties, spec: taskSpecShape}, [...recordKeys, 'spec']);

export const approvalState: JsonSchema = {
  type: 'string',
  enum: ['pending', 'approved', 'rejected', 'used', 'expired', 'withdrawn'],
};

export const approval: JsonSchema = closed(
  {
    request_id: text,
    state: approvalState,
    kind: {type: 'string', enum: ['call', 'claim', 'completion', 'changes', 'program']},
    task_id: text,
    session_id: text,
    tool_name: text,
    requested_by: text,
    requested_at: text,
    expires_at: text,
    resolved_by: text,
    resolved_at: text,
    reason: text,
    used_by: text,
    withdrawn_by: text,
    withdrawn_at: text,
    withdrawn_reason: text,
    superseded_by: text,
  },
  ['request_id', 'state', 'kind', 'task_id', 'session_id', 'requested_by', 'requested_at', 'expires_at'],
);

/** What became of a request, for the client that made it. */
export const requestView: JsonSchema = closed(
  {
    request_id: text,
    state: approvalState,
    kind: {type: 'string', enum: ['call', 'claim', 'completion', 'changes', 'program']},
    tool_name: {...text, 'x-names-tools': true},
    expires_at: text,
    resolved_by: text,
    reason: text,
    receipt_id: text,
    changes_state: {type: 'string', enum: ['parked', 'settling', 'applied', 'discarded', 'conflict', 'failed']},
    conflicts: {type: 'array', items: text},
    next: text,
  },
  ['request_id', 'state', 'kind', 'expires_at', 'next'],
);

export const callResult: JsonSchema = {type: 'string', enum: [...callResultShape.enum, 'open']};

export const receipt: JsonSchema = closed(
  {
    receipt_id: text,
    task_id: text,
    parent_receipt_id: text,
    tool_name: text,
    session_id: text,
    run_id: text,
    result: callResult,
    started_at: text,
    started_seq: count,
    finished_seq: count,
    duration_ms: {type: 'number'},
    input_hash: text,
    output_hash: text,
    error_code: text,
    error_message: text,
    artifacts_written: listOf(text),
    data: {description: "The output's data, when it was asked for, the call succeeded and it is small (64 KiB)."},
  },
  ['receipt_id', 'tool_name', 'session_id', 'run_id', 'result', 'started_at', 'started_seq'],
);

export const lane: JsonSchema = closed(
  {id: text, title: text, wip_limit: count, allowed_scopes: listOf(scope), in_progress: listOf(text)},
  ['id', 'allowed_scopes', 'in_progress'],
);
