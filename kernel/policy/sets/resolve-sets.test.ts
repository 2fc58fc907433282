import type {PolicyMatcher, PolicyRule} from '@lumenflow/schemas';
import schema from '@lumenflow/schemas/policy.schema.json' with {type: 'json'};
import {expect, test} from 'vitest';
import {compileRule} from '../compile-rule.ts';
import {policyPorts} from '../policy-ports.fixture.ts';
import {keysOfGlobs, resolveSets} from './resolve-sets.ts';

const rule = (when: PolicyMatcher): PolicyRule => ({id: 'r', trigger: 'on_tool_request', decision: 'deny', when});
const sets = {writers: ['file:write', 'file:delete'], infra: ['infra/**', '*.tf']};

function problemsOf(written: PolicyRule): readonly {readonly code: string; readonly message: string}[] {
  return compileRule({rule: written, where: 'w'}, 'workspace', policyPorts).problems;
}

test('a name is replaced by the members of its set, wherever a glob is written', () => {
  const {when} = resolveSets(
    rule({
      tool: ['$writers', 'git:push'],
      any: [{writes: '$infra'}, {not: {caller: {tool: '$writers'}}}],
      arguments: {'/to': {glob: '$infra', equals: '$infra'}},
    }),
    sets,
  );
  expect(when).toEqual({
    tool: ['file:write', 'file:delete', 'git:push'],
    any: [{writes: ['infra/**', '*.tf']}, {not: {caller: {tool: ['file:write', 'file:delete']}}}],
    arguments: {'/to': {glob: ['infra/**', '*.tf'], equals: '$infra'}},
  });
});

test.each<PolicyMatcher>([
  {tool: '$absent'},
  {writes: ['$absent']},
  {arguments: {'/to': {glob: '$absent'}}},
  {actor: '$constructor'},
])('an unknown set in %j is an error, so that no rule never matches for that reason', (when) => {
  const resolved = resolveSets(rule(when), sets);
  expect(problemsOf(resolved)).toMatchObject([
    {code: 'POLICY_GLOB_INVALID', message: expect.stringMatching(/no set/u)},
  ]);
});

test('every key whose schema is a list of globs takes sets', () => {
  const names = new Set<string>();
  const look = (node: unknown, isOfMatcher: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, inner] of Object.entries(node)) {
      const ref: unknown = Object(inner).$ref;
      if (isOfMatcher && typeof ref === 'string' && /#\/\$defs\/(?:path_|source_)?globs$/u.test(ref)) names.add(name);
      look(inner, isOfMatcher);
    }
  };
  for (const [name, definition] of Object.entries(schema.$defs)) look(definition, name.endsWith('matcher'));
  expect([...names].toSorted()).toEqual([...keysOfGlobs].toSorted());
});
