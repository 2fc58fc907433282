// The rule of the specification, with a `when` function, as an author writes it under `--strict`.
import {expect, test} from 'vitest';
import {definePolicyFactory, type PolicyEvaluationContext, type PolicyRule} from './index.ts';

const rule: PolicyRule = {
  id: 'no-secrets',
  trigger: 'on_tool_request',
  decision: 'deny',
  when: (context) => {
    const args = context.tool_arguments;
    return typeof args?.['path'] === 'string' && args['path'].startsWith('secrets/');
  },
};

test.each<[PolicyEvaluationContext['tool_arguments'], boolean]>([
  [{path: 'secrets/key'}, true],
  [{path: 'src/a.ts'}, false],
  [undefined, false],
])('a rule with a `when` function is asked about %j', (tool_arguments, expected) => {
  const [made] = definePolicyFactory(() => [rule])({config: {}});
  const context: PolicyEvaluationContext = {trigger: 'on_tool_request', run_id: 'run-1'};
  expect(made?.when?.(tool_arguments ? {...context, tool_arguments} : context)).toBe(expected);
});
