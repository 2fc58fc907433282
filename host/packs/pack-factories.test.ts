// Packs whose factories create rules and capabilities, from manifest to declaration.
import type {LoadedPack} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {greeterWorkspaceForEachTest} from './fixtures/greeter-workspace.ts';
import {describeProblems, greeterManifest, greeterPin} from './fixtures/pack-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

const manifestFile = 'packs/greeter/manifest.yaml';
const factories = 'config_key: greeting\npolicy_factory: policy.ts#rules\ncapability_factory: policy.ts#capabilities\n';
const policy = `import {defineCapabilityFactory, definePolicyFactory} from '@lumenflow/pack-sdk';
import {limit} from './limit.ts';

interface Config {readonly host: string}
export const rules = definePolicyFactory<Config>(({config}) => [
  {id: 'quiet', trigger: 'on_tool_request', decision: 'deny', when: ({tool_arguments}) => tool_arguments.text.length > limit},
  {id: 'on-' + config.host, trigger: 'on_claim', decision: 'approval_required'},
]);
export const capabilities = defineCapabilityFactory<Config>(({config}) => ({
  required_scopes: {'greet:hello': [{type: 'path', pattern: config.host + '/**', access: 'read'}]},
  required_env: {'greet:hello': ['TOKEN']},
  network_allowlist: {'greet:hello': [config.host + ':443']},
}));
`;
const sound = {
  [manifestFile]: greeterManifest(factories, '    required_env: [HOME, TOKEN]\n'),
  'packs/greeter/policy.ts': policy,
  'packs/greeter/limit.ts': 'export const limit = 5;',
};

function when(pack: LoadedPack, input: Readonly<Record<string, unknown>>): boolean {
  const rule = pack.rules[0]?.rule;
  if (typeof rule?.when !== 'function') throw new Error('the first rule has no `when`');
  return rule.when({trigger: 'on_tool_request', run_id: 'r', tool_arguments: input});
}

test.each(['sandboxed', 'in_process'] as const)('rules and capabilities take effect with trust %s', async (trust) => {
  await greeter.workspace.write(sound);
  const pack = await greeter.workspace.loadOne(greeterPin({trust}), {greeting: {host: 'e.example'}});
  expect(pack.rules.map(({rule, where}) => [rule.id, where])).toEqual([
    ['quiet', `${manifestFile}:12:17`],
    ['on-e.example', `${manifestFile}:12:17`],
  ]);
  expect([when(pack, {text: 'short'}), when(pack, {text: 'too long'})]).toEqual([false, true]);
  expect(pack.tools[0]?.declaration).toMatchObject({
    required_env: ['HOME', 'TOKEN'],
    required_scopes: [
      {type: 'path', pattern: 'e.example/**', access: 'read'},
      {type: 'network', posture: 'allowlist', allowlist_entries: ['e.example:443']},
    ],
  });
  expect(pack.manifest.tools[0]).not.toHaveProperty('required_scopes');
});

test.each([
  ['{type: network, posture: off}', {posture: 'allowlist', allowlist_entries: ['e.example:443']}],
  [
    `{type: network, posture: allowlist, allowlist_entries: ['a.example:1']}`,
    {posture: 'allowlist', allowlist_entries: ['a.example:1', 'e.example:443']},
  ],
  ['{type: network, posture: full}', {posture: 'full'}],
])('a network capability joins %s', async (scope, expected) => {
  const tool = `    required_scopes: [{type: path, pattern: 'a', access: read}, ${scope.replace('off', "'off'")}]\n`;
  await greeter.workspace.write({...sound, [manifestFile]: greeterManifest(factories, tool)});
  const pack = await greeter.workspace.loadOne(greeterPin(), {greeting: {host: 'e.example'}});
  const scopes = pack.tools[0]?.declaration.required_scopes ?? [];
  expect(scopes.filter(({type}) => type === 'path').map((scope) => 'pattern' in scope && scope.pattern)).toEqual([
    'a',
    'e.example/**',
  ]);
  expect(scopes.filter(({type}) => type === 'network')).toEqual([{type: 'network', ...expected}]);
});

test.each([
  [
    'throws',
    `export const rules = () => { throw new TypeError('no'); }; export const capabilities = () => ({});`,
    'PACK_FACTORY_FAILED packs/greeter/manifest.yaml:11:17 the policy_factory `policy.ts#rules` failed: TypeError: no',
  ],
  [
    'names another tool',
    `export const rules = () => []; export const capabilities = () => ({required_env: {x: []}});`,
    'PACK_FACTORY_FAILED packs/greeter/manifest.yaml:12:21 the capability_factory `policy.ts#capabilities` failed: `required_env` names `x`, which is not a tool of the pack',
  ],
  [
    'uses Node',
    `import 'node:fs'; export const rules = () => []; export const capabilities = () => ({});`,
    'PACK_IMPORT_FORBIDDEN packs/greeter/policy.ts:1:8 `node:fs` is a module of Node, which a factory must not use',
  ],
  [
    'is not exported',
    `export const capabilities = () => ({});`,
    'PACK_EXPORT_MISSING packs/greeter/manifest.yaml:11:17 `packs/greeter/policy.ts` does not export `rules`',
  ],
])('a factory that %s is a problem', async (_, text, problem) => {
  await greeter.workspace.write({
    ...sound,
    [manifestFile]: greeterManifest(factories),
    'packs/greeter/policy.ts': text,
  });
  const {packs, problems} = await greeter.workspace.load([greeterPin()], {greeting: {}});
  expect(packs).toEqual([]);
  expect(describeProblems(problems)).toEqual([problem]);
});

test('the factories of a pack that does not match its pin do not run', async () => {
  await greeter.workspace.write({
    ...sound,
    'packs/greeter/policy.ts': `for (;;); export const rules = 1, capabilities = 1;`,
  });
  const {problems} = await greeter.workspace.load([greeterPin({integrity: `sha256:${'0'.repeat(64)}`})], {
    greeting: {},
  });
  expect(problems.map(({code}) => code)).toEqual(['PACK_INTEGRITY_MISMATCH']);
});

test('a released pack no longer answers', async () => {
  await greeter.workspace.write(sound);
  const pack = await greeter.workspace.loadOne(greeterPin(), {greeting: {host: 'e.example'}});
  greeter.workspace.source.release(pack);
  expect(() => when(pack, {text: 'x'})).toThrow('has ended');
});
