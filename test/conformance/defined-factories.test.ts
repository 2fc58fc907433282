// Factories are typed by the pack's config, and their results are validated. The types are checked when this file is compiled.
import {
  defineCapabilityFactory,
  definePolicyFactory,
  defineTool,
  type Capabilities,
  type FactoryRule,
  type PolicyEvaluationContext,
} from '@lumenflow/pack-sdk';
import {expect, expectTypeOf, test} from 'vitest';

interface Config {
  readonly hosts: readonly string[];
}

const policies = definePolicyFactory<Config>(({config}) => {
  expectTypeOf(config).toEqualTypeOf<Config>();
  return config.hosts.map((host) => ({
    id: `no-${host}`,
    trigger: 'on_tool_request',
    decision: 'deny',
    when(context) {
      expectTypeOf(context).toEqualTypeOf<PolicyEvaluationContext>();
      return context.tool_name === host;
    },
  }));
});

const capabilities = defineCapabilityFactory<Config>(({config}) => ({network_allowlist: {'a:fetch': config.hosts}}));

test('they give what they are typed to give', () => {
  const [rule] = policies({config: {hosts: ['a']}});
  expect(rule?.when?.({trigger: 'on_tool_request', run_id: 'r', tool_name: 'a'})).toBe(true);
  expect(capabilities({config: {hosts: ['a:443']}})).toEqual({network_allowlist: {'a:fetch': ['a:443']}});
  expectTypeOf(policies).returns.toEqualTypeOf<readonly FactoryRule[]>();
  expectTypeOf(capabilities).returns.toEqualTypeOf<Capabilities>();
  expectTypeOf(policies).parameter(0).toEqualTypeOf<{readonly config: Config}>();
});

test('what does not fit the types does not compile', () => {
  // @ts-expect-error: there is no such decision
  definePolicyFactory(() => [{id: 'a', trigger: 'on_tool_request', decision: 'maybe'}]);
  // @ts-expect-error: there is no such trigger
  definePolicyFactory(() => [{id: 'a', trigger: 'on_monday', decision: 'deny'}]);
  // @ts-expect-error: the config has no such key
  definePolicyFactory<Config>(({config}) => config.names);
  // @ts-expect-error: entries are lists
  defineCapabilityFactory(() => ({required_env: {'a:fetch': 'TOKEN'}}));
  // @ts-expect-error: a ToolOutput or the output, nothing else
  defineTool<object, {n: number}>({run: () => ({n: 'one'})});
  expectTypeOf(definePolicyFactory).toBeFunction();
});
