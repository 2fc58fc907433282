// All keys of a matcher, in the order in which an index prefers what they require.
import type {PolicyMatcher} from '@lumenflow/schemas';
import {changesKey} from './changes-key.ts';
import {allKey, anyKey, notKey} from './composite-keys.ts';
import {callerKey} from './caller-key.ts';
import {globsKey} from './globs-key.ts';
import type {MatcherKey} from './matcher-key.ts';
import {requestInput} from '../policy-request.ts';
import {permissionKey} from './permission-key.ts';
import {touchedKey} from './touched-key.ts';
import {valuesKey} from './values-key.ts';

export const matcherTable: Readonly<Record<keyof PolicyMatcher, MatcherKey>> = {
  arguments: valuesKey({
    name: 'arguments',
    root: ({context, input}) => context.tool_arguments ?? input,
    example: ({arguments: given}) => (given === undefined ? {} : requestInput(given)),
  }),
  metadata: valuesKey({
    name: 'metadata',
    root: ({context}) => context.execution_metadata,
    example: ({metadata}) => (metadata === undefined ? {} : {context: {execution_metadata: metadata}}),
  }),
  all: allKey,
  task: globsKey({
    globs: 'id',
    required: 'task',
    read: ({context}) => context.task_id,
    example: ({task}) => (task === undefined ? {} : {task_id: task}),
  }),
  lane: globsKey({
    globs: 'id',
    named: 'lane',
    required: 'lane',
    read: ({context}) => context.lane_id,
    known: ({lane}) => lane,
    example: ({lane}) => (lane === undefined ? {} : {lane_id: lane}),
  }),
  caller: callerKey,
  reads: touchedKey('reads'),
  writes: touchedKey('writes'),
  changes: changesKey,
  permission: permissionKey,
  // The index of rules keeps those of a tool by itself.
  tool: globsKey({
    globs: 'tool',
    named: 'tool',
    read: ({context}) => context.tool_name,
    known: ({tool}) => tool?.name,
    example: ({tool}) => (tool === undefined ? {} : {tool_name: tool}),
  }),
  any: anyKey,
  not: notKey,
};

/** The keys that a matcher has, with their values, in the table's order. */
export function* keysOf(
  matcher: PolicyMatcher,
): Iterable<readonly [name: keyof PolicyMatcher, key: MatcherKey, operand: never]> {
  for (const [name, key] of Object.entries(matcherTable)) {
    const operand = matcher[name as keyof PolicyMatcher];
    if (operand !== undefined) yield [name as keyof PolicyMatcher, key, operand as never];
  }
}
