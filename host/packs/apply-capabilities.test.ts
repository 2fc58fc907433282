import type {LoadedTool} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {applyCapabilities} from './apply-capabilities.ts';

const tool: LoadedTool = {
  declaration: {name: 'a:b', description: 'x', handler_entry: 'x.ts#x', permission: 'read', required_env: ['LANG']},
  module_path: '/x.mjs',
  export_name: 'x',
  where: 'manifest.yaml:1:1',
  validateInput: () => [],
  validateOutput: () => [],
};
const listed = (...allowlist_entries: readonly string[]) => [
  {type: 'network', posture: 'allowlist', allowlist_entries},
];

test("requirements of all calls are added to the tool's declared ones", () => {
  const [applied] = applyCapabilities(
    [tool],
    {required_env: {'a:b': ['KEY']}, network_allowlist: {'a:b': ['h:1']}},
    {},
  );
  expect(applied?.declaration).toMatchObject({required_env: ['LANG', 'KEY'], required_scopes: listed('h:1')});
  expect(applyCapabilities([tool], {required_env: {'x:y': ['KEY']}}, {})).toEqual([tool]);
});

test('path scopes are added to those that the tool declares', () => {
  const scope = (pattern: string) => ({type: 'path', pattern, access: 'read'}) as const;
  const own = {...tool, declaration: {...tool.declaration, required_scopes: [scope('docs/**')]}};
  const [applied] = applyCapabilities([own], {required_scopes: {'a:b': [scope('data/**')]}}, {});
  expect(applied?.declaration.required_scopes).toEqual([scope('docs/**'), scope('data/**')]);
});

test('requirements of calls with a certain input are added as separate variants', () => {
  const values = {
    one: {required_env: ['KEY_1'], network_allowlist: ['h:1']},
    two: {network_allowlist: ['h:2']},
    three: {},
  };
  const [applied] = applyCapabilities([tool], {by_input: {'a:b': {property: 'model', default: 'one', values}}}, {});
  expect(applied?.declaration).toEqual(tool.declaration);
  expect(applied?.by_input).toMatchObject({property: 'model', default: 'one'});
  const variant = (name: string) => applied?.by_input?.variants.get(name)?.declaration;
  expect(variant('one')).toMatchObject({required_env: ['LANG', 'KEY_1'], required_scopes: listed('h:1')});
  expect(variant('two')).toMatchObject({required_env: ['LANG'], required_scopes: listed('h:2')});
  expect(variant('three')).toEqual(tool.declaration);
});

test.each([
  ['https://models.example/v1', listed('models.example:443')],
  ['http://10.0.0.1:8080', listed('10.0.0.1:8080')],
  ['http://[::1]/', listed('[::1]:80')],
  ['file:///etc/passwd', undefined],
  ['nowhere', undefined],
  [undefined, undefined],
])('the address in a variable: %s', (URL, scopes) => {
  const [applied] = applyCapabilities([tool], {network_allowlist: {'a:b': [{url_env: 'URL'}]}}, {URL});
  expect(applied?.declaration.required_scopes).toEqual(scopes);
});
