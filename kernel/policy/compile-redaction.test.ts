import type {PolicyRule} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {compileRule} from './compile-rule.ts';
import {policyPorts} from './policy-ports.fixture.ts';

const base: PolicyRule = {id: 'r', trigger: 'on_tool_result', decision: 'allow'};

function problemsOf(rule: PolicyRule): readonly {readonly code: string; readonly where?: string}[] {
  return compileRule({rule, where: 'w', locate: (pointer) => pointer}, 'workspace', policyPorts).problems;
}

test.each<[PolicyRule, string]>([
  [base, '/decision'],
  [{...base, decision: 'approval_required'}, '/decision'],
  [{...base, decision: 'deny', redact: 'x'}, '/redact'],
  [{...base, trigger: 'on_tool_request', redact: 'x'}, '/redact'],
  [{...base, redact: 'x*'}, '/redact'],
  [{...base, redact: ['x', '(?=x)']}, '/redact/1'],
])('%j is an error at %s', (rule, pointer) => {
  expect(problemsOf(rule)).toMatchObject([{code: 'POLICY_REDACTION_INVALID', where: pointer}]);
});

test('a condition on the output belongs to rules of results', () => {
  const when: PolicyRule['when'] & {} = {output: {regex: 'x'}};
  expect(problemsOf({...base, decision: 'deny', when})).toEqual([]);
  expect(problemsOf({...base, trigger: 'on_tool_request', decision: 'deny', when})).toMatchObject([
    {code: 'POLICY_MATCHER_INVALID', where: '/when/output'},
  ]);
});

test.each(['reads', 'writes'] as const)('`%s` does not, because links are followed only before the call', (name) => {
  expect(problemsOf({...base, decision: 'deny', when: {[name]: 'secrets/**'}})).toMatchObject([
    {code: 'POLICY_MATCHER_INVALID', where: `/when/${name}`},
  ]);
});

test('examples try the condition on the output', () => {
  const examples: PolicyRule['examples'] & {} = [
    {call: {tool: 'a:b', output: 'my secret'}, expect: 'deny'},
    {call: {tool: 'a:b', output: 'nothing'}, expect: 'no_match'},
    {call: {tool: 'a:b'}, expect: 'no_match'},
  ];
  expect(problemsOf({...base, decision: 'deny', when: {output: {regex: 'secret'}}, examples})).toEqual([]);
});
