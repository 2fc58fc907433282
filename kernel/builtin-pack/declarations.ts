// The kernel's own tools, for the tools of packs: what a handler may have done with tasks of its pack's types.
import type {Permission, ToolDeclaration} from '@lumenflow/schemas';
import {
  approval,
  approvalState,
  callResult,
  changeable,
  closed,
  count,
  identifier,
  lane,
  listedTask,
  listOf,
  receipt,
  requestView,
  scope,
  taskRecord,
  taskRun,
  taskState,
  taskView,
  text,
  type JsonSchema,
} from './record-schemas.ts';

export interface BuiltinTool {
  readonly description: string;
  readonly permission: Permission;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Of what clients call themselves; without it only tools may. */
  readonly offered?: Pick<ToolDeclaration, 'required_scopes' | 'writes'>;
}

export type KernelVerb =
  | 'create-task'
  | 'amend-task'
  | 'claim-task'
  | 'block-task'
  | 'unblock-task'
  | 'release-task'
  | 'complete-task'
  | 'cancel-task'
  | 'show-task'
  | 'list-tasks'
  | 'list-approvals'
  | 'list-evidence'
  | 'show-workspace'
  | 'show-request'
  | 'withdraw-request'
  | 'revert-changes';

const task_id = identifier;
const ownRequest: JsonSchema = {...identifier, description: 'As the call was answered.'};
const held_by: JsonSchema = {
  ...identifier,
  description: 'The session that owns the task, if it is not the calling session; rules see it as an argument.',
};
const limitOf = (maximum: number): JsonSchema => ({type: 'integer', minimum: 1, maximum});

/** By verb: `kernel:<verb>`. */
export const builtinDeclarations: Readonly<Record<KernelVerb, BuiltinTool>> = {
  'create-task': {
    description: "Creates a task of one of the pack's types, ready to be claimed.",
    permission: 'write',
    input: closed({id: identifier, lane_id: identifier, type: identifier, ...changeable}, ['id', 'lane_id', 'type']),
    output: taskRecord,
  },
  'amend-task': {
    description: "Changes a ready task's spec: the given keys replace the existing ones.",
    permission: 'write',
    input: {...closed({task_id, ...changeable}, ['task_id']), minProperties: 2},
    output: taskRecord,
  },
  'claim-task': {
    description:
      'Claims a ready task for the calling session, whose further calls run in it until it is blocked, released or done.',
    permission: 'write',
    input: closed({task_id}, ['task_id']),
    output: taskRun,
  },
  'block-task': {
    description: 'Blocks an active task. No tool can be called in it until it is unblocked.',
    permission: 'write',
    input: closed({task_id, reason: text, held_by}, ['task_id', 'reason']),
    output: taskRecord,
  },
  'unblock-task': {
    description: 'Makes a blocked task active again.',
    permission: 'write',
    input: closed({task_id, held_by}, ['task_id']),
    output: taskRecord,
  },
  'release-task': {
    description: 'Releases an active or blocked task, which is then ready to be claimed.',
    permission: 'write',
    input: closed({task_id, reason: text, held_by}, ['task_id', 'reason']),
    output: taskRecord,
  },
  'complete-task': {
    description: "Completes the calling session's task if the pack's check and policy allow it.",
    permission: 'write',
    input: closed({task_id, evidence_refs: listOf(text)}, ['task_id']),
    output: taskRecord,
  },
  'cancel-task': {
    description: 'Cancels a ready task, which then cannot be claimed. Tasks that depend on it keep waiting.',
    permission: 'write',
    input: closed({task_id, reason: text}, ['task_id', 'reason']),
    output: taskRecord,
  },
  'show-task': {
    description: 'Returns one task with its spec.',
    permission: 'read',
    input: closed({task_id}, ['task_id']),
    output: taskView,
  },
  'list-tasks': {
    description: "Lists tasks of the pack's types in order of their creation, a page at a time.",
    permission: 'read',
    input: closed({
      task_ids: listOf(identifier, {maxItems: 1_000}),
      lane_id: identifier,
      states: listOf(taskState),
      held_by: {...identifier, description: 'The session that owns them.'},
      with_activity: {type: 'boolean', description: 'Adds `active_at` to claimed tasks.'},
      limit: {...limitOf(1_000), description: 'Default 100.'},
      after: {...identifier, description: 'Continue behind this task: `next_after` of the page before.'},
    }),
    output: closed({tasks: listOf(listedTask), total: count, next_after: text}, ['tasks', 'total']),
  },
  'list-approvals': {
    description: "Lists requests for approval in tasks of the pack's types, newest first.",
    permission: 'read',
    input: closed({task_id, states: listOf(approvalState), limit: {...limitOf(1_000), description: 'Default 100.'}}),
    output: closed({approvals: listOf(approval), total: count}, ['approvals', 'total']),
  },
  'list-evidence': {
    description: "Lists calls in tasks of the pack's types, newest first, a page at a time.",
    permission: 'read',
    input: closed({
      task_id: {...task_id, description: 'Default: all tasks of the pack.'},
      tool_name: text,
      result: callResult,
      since: text,
      until: text,
      limit: {...limitOf(200), description: 'Default 50.'},
      before_seq: {...count, description: 'Continue below this call: `next_before_seq` of the page before.'},
      with_data: {type: 'boolean', description: "With the outputs' data."},
    }),
    output: closed({receipts: listOf(receipt), next_before_seq: count}, ['receipts']),
  },
  'show-workspace': {
    description:
      "Returns the workspace's lanes with what is in progress in each, its scopes, and the pack's task types.",
    permission: 'read',
    input: closed({}),
    output: closed(
      {id: text, name: text, lanes: listOf(lane), allowed_scopes: listOf(scope), task_types: listOf(text)},
      ['id', 'lanes', 'allowed_scopes', 'task_types'],
    ),
  },
  'show-request': {
    description: 'Returns the state of your request for approval, and what to do next.',
    permission: 'read',
    input: closed({request_id: ownRequest}, ['request_id']),
    output: requestView,
    offered: {},
  },
  'withdraw-request': {
    description: 'Withdraws your request for approval if it is still unanswered, and discards its parked changes.',
    permission: 'write',
    input: closed({request_id: ownRequest, reason: text}, ['request_id']),
    output: requestView,
    offered: {},
  },
  'revert-changes': {
    description:
      'Reverts the changes of an earlier call, in a new call. Fails and changes nothing if one of the paths has changed since.',
    permission: 'write',
    input: closed({receipt_id: {...identifier, description: 'The receipt of the call to revert.'}}, ['receipt_id']),
    output: closed({receipt_id: identifier, paths: listOf(text), count}, ['receipt_id', 'paths', 'count']),
    offered: {required_scopes: [{type: 'path', access: 'write', pattern: '**'}], writes: 'transactional'},
  },
};
