import type {PolicyMatcher, ValueMatcher} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {compilePolicyLayer, evaluatePolicy, type PolicyRequest, requestInput} from './index.ts';
import {policyPorts as ports} from './policy-ports.fixture.ts';

/** Whether a rule with this `when` applies: it denies where the default allows. */
function matches(
  when: PolicyMatcher,
  request: Partial<PolicyRequest['context']> & Pick<PolicyRequest, 'permission' | 'input'>,
) {
  const {permission, input, ...context} = request;
  const {layer, problems} = compilePolicyLayer({
    layer: 'workspace',
    default_decision: 'allow',
    rules: [{rule: {id: 'r', trigger: 'on_tool_request', decision: 'deny', when}, where: 'workspace.yaml:1:1'}],
    ports,
  });
  expect(problems).toEqual([]);
  const result = evaluatePolicy({
    layers: {workspace: layer},
    allowLoosening: [],
    request: {
      context: {trigger: 'on_tool_request', run_id: 'run-1', ...context},
      permission,
      ...(input !== undefined && {input}),
    },
  });
  return result.decision === 'deny';
}

describe('a value', () => {
  const cases: readonly (readonly [string, ValueMatcher, unknown, boolean])[] = [
    ['equals', {equals: 'a'}, 'a', true],
    ['equals another', {equals: 'a'}, 'b', false],
    ['equals of another type', {equals: 1}, '1', false],
    ['equals null', {equals: null}, null, true],
    ['equals null, nothing there', {equals: null}, undefined, false],
    ['equals false', {equals: false}, 0, false],
    ['equals deep', {equals: {a: [1, {b: null}], c: 2}}, {c: 2, a: [1, {b: null}]}, true],
    ['equals deep, one more key', {equals: {a: 1}}, {a: 1, b: 2}, false],
    ['equals deep, a text is no object', {equals: 'a'}, {0: 'a'}, false],
    ['equals deep, an object is no text', {equals: {0: 'a'}}, 'a', false],
    ['equals deep, nothing is no object', {equals: {a: 1}}, null, false],
    ['equals deep, an object is not nothing', {equals: null}, {a: 1}, false],
    ['equals deep, another order of a list', {equals: [1, 2]}, [2, 1], false],
    ['equals deep, a list is no object', {equals: []}, {}, false],
    ['equals deep, undefined is not there', {equals: {a: 1}}, {a: 1, b: undefined}, true],
    ['equals deep, undefined for another key', {equals: {a: 1}}, {b: 1}, false],
    ['in', {in: ['a', {b: 1}]}, {b: 1}, true],
    ['not in', {in: ['a', 'b']}, 'c', false],
    ['in, nothing there', {in: ['a']}, undefined, false],
    ['glob within a part', {glob: 'src/*.ts'}, 'src/a.ts', true],
    ['glob not across parts', {glob: 'src/*.ts'}, 'src/a/b.ts', false],
    ['glob across parts', {glob: 'src/**'}, 'src/a/b.ts', true],
    ['glob across no part', {glob: 'src/**/b.ts'}, 'src/b.ts', true],
    ['glob across parts in the middle', {glob: '**/b.ts'}, 'src/a/b.ts', true],
    ['glob, whole parts only', {glob: '**/b.ts'}, 'src/ab.ts', false],
    ['glob across, not at the start of a part', {glob: 'a**/c'}, 'ab/x/c', true],
    ['glob, one character', {glob: 'a?c'}, 'abc', true],
    ['glob, one character is no separator', {glob: 'a?c'}, 'a/c', false],
    ['glob, no more than that', {glob: 'src'}, 'src/a', false],
    ['glob, a dot is a dot', {glob: '*.ts'}, 'axts', false],
    ['glob, special characters', {glob: '*+(a|b)^$.'}, 'x+(a|b)^$.', true],
    ['glob, lone', {glob: '*'}, 'a/b', true],
    ['glob over lines', {glob: 'a**'}, 'a\nb', true],
    ['one of the globs', {glob: ['a', 'b*']}, 'bc', true],
    ['none of the globs', {glob: ['a', 'b*']}, 'c', false],
    ['glob of a number', {glob: '*'}, 1, false],
    ['regex, unanchored', {regex: 'b+'}, 'abbc', true],
    ['regex, anchored', {regex: '^b+$'}, 'abbc', false],
    ['regex of a number', {regex: '1'}, 1, false],
    ['exists', {exists: true}, 0, true],
    ['exists with null', {exists: true}, null, true],
    ['exists, nothing there', {exists: true}, undefined, false],
    ['does not exist', {exists: false}, undefined, true],
    ['does not exist, but does', {exists: false}, null, false],
    ['lt', {lt: 5}, 4.9, true],
    ['lt, equal', {lt: 5}, 5, false],
    ['lte, equal', {lte: 5}, 5, true],
    ['lte, more', {lte: 5}, 6, false],
    ['gt', {gt: 5}, 6, true],
    ['gt, equal', {gt: 5}, 5, false],
    ['gte, equal', {gte: 5}, 5, true],
    ['gte, less', {gte: 5}, 4, false],
    ['a comparison with a text', {gt: 5}, '6', false],
    ['a comparison, nothing there', {lt: 5}, undefined, false],
    ['both', {gte: 1, lt: 3}, 2, true],
    ['one of both', {gte: 1, lt: 3}, 3, false],
  ];
  test.each(cases)('%s: %j with %j', (_, matcher, value, expected) => {
    expect(matches({arguments: {'/a/b': matcher}}, {tool_arguments: {a: {b: value}}})).toBe(expected);
    expect(matches({metadata: {'/m': matcher}}, {execution_metadata: {m: value}})).toBe(expected);
  });
});

describe('a pointer', () => {
  test.each([
    ['/list/1', {list: ['x', 'y']}, true],
    ['/list/01', {list: ['x', 'y']}, false],
    ['/list/2', {list: ['x', 'y']}, false],
    ['/list/length', {list: ['x', 'y']}, false],
    ['/a~1b/c~0d', {'a/b': {'c~d': 'y'}}, true],
    ['/~01', {'~1': 'y'}, true],
    ['/', {'': 'y'}, true],
    ['/constructor', {}, false],
    ['/__proto__', {}, false],
    ['/a/b', {a: 'text'}, false],
    ['/a/b', {a: null}, false],
    ['/a', undefined, false],
  ])('%s into %j', (pointer, given, expected) => {
    expect(matches({arguments: {[pointer]: {exists: true}}}, given === undefined ? {} : {tool_arguments: given})).toBe(
      expected,
    );
  });

  test('the input that is not an object is matched too, and no `when` gets it as arguments', () => {
    const request = requestInput(['rm', '-rf']);
    expect(request).toEqual({input: ['rm', '-rf'], context: {}});
    expect(matches({arguments: {'/0': {equals: 'rm'}}}, request)).toBe(true);
    expect(matches({arguments: {'': {equals: ['rm', '-rf']}}}, request)).toBe(true);
    expect(requestInput({a: 1})).toEqual({context: {tool_arguments: {a: 1}}});
  });

  test('the empty one is the whole', () => {
    expect(matches({arguments: {'': {equals: {a: 1}}}}, {tool_arguments: {a: 1}})).toBe(true);
  });
});

describe('a call', () => {
  const cases: readonly (readonly [PolicyMatcher, string | undefined, boolean])[] = [
    [{tool: 'file:write'}, 'file:write', true],
    [{tool: 'file:write'}, 'file:writes', false],
    [{tool: 'file:*'}, 'file:write', true],
    [{tool: 'file:*'}, 'file', false],
    [{tool: 'file*'}, 'file:write', false],
    [{tool: '*:write'}, 'file:write', true],
    [{tool: '*:*'}, 'gates', false],
    [{tool: 'file:wr?te'}, 'file:write', true],
    [{tool: 'file:**'}, 'file:write', true],
    [{tool: '*'}, 'file:write', true],
    [{tool: '*'}, 'gates', true],
    [{tool: '*'}, undefined, false],
    [{tool: ['git:*', 'file:write']}, 'file:write', true],
    [{tool: ['git:*', 'file:write']}, 'file:read', false],
    [{not: {tool: 'file:*'}}, 'git:push', true],
    [{not: {tool: 'file:*'}}, 'file:read', false],
    [{any: [{tool: 'git:*'}, {tool: 'file:*'}]}, 'file:read', true],
    [{any: [{tool: 'git:*'}, {tool: 'mem:*'}]}, 'file:read', false],
    [{all: [{tool: '*:read'}, {tool: 'file:*'}]}, 'file:read', true],
    [{all: [{tool: '*:read'}, {tool: 'git:*'}]}, 'file:read', false],
    [{tool: 'file:*', not: {tool: '*:read'}}, 'file:write', true],
    [{tool: 'file:*', not: {tool: '*:read'}}, 'file:read', false],
  ];
  test.each(cases)('%j over tool %s', (when, tool_name, expected) => {
    expect(matches(when, tool_name === undefined ? {} : {tool_name})).toBe(expected);
  });

  test.each([
    [{permission: ['write', 'admin']}, {permission: 'admin'}, true],
    [{permission: ['write', 'admin']}, {permission: 'read'}, false],
    [{permission: ['write']}, {}, false],
    [{lane: 'core'}, {lane_id: 'core'}, true],
    [{lane: 'core*'}, {lane_id: 'core-2'}, true],
    [{lane: 'core'}, {}, false],
    [{task: ['a', 'WU-*']}, {task_id: 'WU-7'}, true],
    [{task: 'WU-*'}, {task_id: 'wu-7'}, false],
    [{lane: 'core', task: 'a'}, {lane_id: 'core', task_id: 'b'}, false],
  ] as const)('%j over %j', (when, request, expected) => {
    expect(matches(structuredClone(when) as PolicyMatcher, request)).toBe(expected);
  });
});
