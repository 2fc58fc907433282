// All keys of a matcher, in the order in which an index prefers what they require.
import type {CallRole, CallSurface, Permission, PolicyMatcher, PolicyTrigger, ToolSink} from '@lumenflow/schemas';
import {changesKey} from './changes-key.ts';
import {allKey, anyKey, notKey} from './composite-keys.ts';
import {callerKey} from './caller-key.ts';
import {globsKey} from './globs-key.ts';
import type {MatcherKey} from './matcher-key.ts';
import {requestInput} from '../policy-request.ts';
import {commandKey} from './command-key.ts';
import {choiceKey} from './choice-key.ts';
import {afterKey} from './after-key.ts';
import {carriesKey} from './carries-key.ts';
import {taintedKey} from './tainted-key.ts';
import {timeKey} from './time-key.ts';
import {outputKey} from './output-key.ts';
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
  actor: globsKey({
    globs: 'id',
    required: 'actor',
    read: ({context}) => context.actor,
    example: ({actor}) => (actor === undefined ? {} : {actor}),
  }),
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
  tainted: taintedKey,
  carries: carriesKey,
  after: afterKey,
  sink: choiceKey({
    name: 'sink',
    choices: ['external', 'privileged'] satisfies ToolSink[],
    read: ({sink}) => sink,
    known: ({tool}) => tool?.sink,
    example: ({sink}) => (sink === undefined ? {} : {sink}),
  }),
  command: commandKey,
  reads: touchedKey('reads'),
  writes: touchedKey('writes'),
  changes: changesKey,
  output: outputKey,
  time: timeKey,
  surface: choiceKey({
    name: 'surface',
    choices: ['agent', 'api', 'cli', 'http', 'mcp'] satisfies CallSurface[],
    read: ({context}) => context.surface,
    example: ({surface}) => (surface === undefined ? {} : {context: {surface}}),
    insteadIn: ofCalls,
  }),
  role: choiceKey({
    name: 'role',
    choices: ['agent', 'person', 'operator'] satisfies CallRole[],
    read: ({context}) => context.role,
    example: ({role}) => (role === undefined ? {} : {context: {role}}),
    insteadIn: ofCalls,
  }),
  permission: choiceKey({
    name: 'permission',
    choices: ['read', 'write', 'admin'] satisfies Permission[],
    read: ({permission}) => permission,
    known: ({tool}) => tool?.permission,
    example: ({permission}) => (permission === undefined ? {} : {permission}),
  }),
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

function ofCalls(trigger: PolicyTrigger): string | undefined {
  const isTransition = trigger === 'on_claim' || trigger === 'on_completion';
  return isTransition ? 'use `actor`: of a claim or a completion only the name of its actor is known' : undefined;
}

/** The keys that a matcher has, with their values, in the table's order. */
export function* keysOf(
  matcher: PolicyMatcher,
): Iterable<readonly [name: keyof PolicyMatcher, key: MatcherKey, operand: never]> {
  for (const [name, key] of Object.entries(matcherTable)) {
    const operand = matcher[name as keyof PolicyMatcher];
    if (operand !== undefined) yield [name as keyof PolicyMatcher, key, operand as never];
  }
}
