import type {Scope} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {compileScopeLayer, unrestrictedLayer} from './scope-layer.ts';
import type {ScopeLayerSource} from './scope-layer.ts';

function compile(scopes: readonly Scope[], networkDefault: ScopeLayerSource['networkDefault'] = 'off') {
  const where = (index: number, inside = ''): string => `w.yaml:${index + 1}${inside}`;
  return compileScopeLayer({name: 'lane', scopes, where, networkDefault});
}

const path = (pattern: string, access: 'read' | 'write'): Scope => ({type: 'path', pattern, access});
const network = (posture: 'off' | 'allowlist' | 'full', ...allowlist_entries: string[]): Scope => ({
  type: 'network',
  posture,
  ...(allowlist_entries.length > 0 ? {allowlist_entries} : {}),
});

describe('paths', () => {
  test('what may be written may be read', () => {
    const {layer, problems} = compile([path('src/**', 'write'), path('docs/**', 'read'), path('src/a', 'read')]);
    expect(problems).toEqual([]);
    expect(layer.write.map(({text}) => text)).toEqual(['src/**']);
    expect(layer.read.map(({text}) => text)).toEqual(['docs/**', 'src/**']);
    expect(layer.paths.map(({where}) => where)).toEqual(['w.yaml:1', 'w.yaml:2', 'w.yaml:3']);
  });

  test('no scope means no path', () => {
    expect(compile([]).layer).toMatchObject({read: [], write: [], where: 'w.yaml:1'});
  });

  test('every refused pattern is a problem at its position, and grants nothing', () => {
    const {layer, problems} = compile([path('/etc', 'read'), path('src/[a]', 'write'), path('docs', 'read')]);
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'SCOPE_PATTERN_INVALID',
        severity: 'error',
        message: 'path pattern `/etc`, character 1: the path is absolute',
        where: 'w.yaml:1/pattern',
      }),
      expect.objectContaining({
        message: 'path pattern `src/[a]`, character 5: character classes are not supported',
        where: 'w.yaml:2/pattern',
      }),
    ]);
    expect(layer.read.map(({text}) => text)).toEqual(['docs']);
    expect(layer.write).toEqual([]);
  });

  test('more patterns than the maximum are a problem', () => {
    const scopes = Array.from({length: 5}, (_, n) => path(`${n}${'{a,b}'.repeat(8)}`, 'read'));
    const {layer, problems} = compile(scopes);
    expect(problems).toMatchObject([{code: 'SCOPE_TOO_COMPLEX', where: 'w.yaml:1'}]);
    expect(layer.read).toEqual([]);
    expect(compile(scopes.slice(1)).problems).toEqual([]);
  });
});

describe('network', () => {
  test.each([
    ['off', 'off'],
    ['full', 'full'],
    ['allowlist', 'off'],
  ] as const)('without a network scope the default %s is %s', (networkDefault, posture) => {
    expect(compile([path('a', 'read')], networkDefault).layer.network.posture).toBe(posture);
    expect(compile([], networkDefault).layer.networkWhere).toBeUndefined();
  });

  test('scopes unite, and a declared one replaces the default', () => {
    const {layer} = compile([network('allowlist', 'b.example:1'), network('allowlist', 'a.example:1')], 'full');
    expect(layer.network).toMatchObject({posture: 'allowlist', allowlist_entries: ['a.example:1', 'b.example:1']});
    expect(layer.networkWhere).toBe('w.yaml:1');
    expect(compile([network('off')], 'full').layer.network.posture).toBe('off');
    expect(compile([network('full'), network('allowlist', 'a.example:1')]).layer.network.posture).toBe('full');
  });

  test.each([
    [network('allowlist', 'a.example:1'), network('off')],
    [network('off'), network('full')],
  ])('off beside another scope of the layer is off, and a problem', (...scopes) => {
    const {layer, problems} = compile(scopes);
    expect(layer.network.posture).toBe('off');
    const where = `w.yaml:${scopes.findIndex((scope) => scope.type === 'network' && scope.posture === 'off') + 1}`;
    expect(problems).toMatchObject([{code: 'SCOPE_NETWORK_INVALID', where}]);
    expect(compile([network('off'), network('off')])).toMatchObject({layer: {network: {posture: 'off'}}, problems: []});
  });

  test('a refused entry is a problem that names it, and allows nothing', () => {
    const {layer, problems} = compile([network('allowlist', 'a.example:1', 'evil;id:1')]);
    expect(problems).toMatchObject([
      {
        code: 'SCOPE_NETWORK_INVALID',
        message: 'network entry `evil;id:1`, character 5: this character is not allowed',
        where: 'w.yaml:1/allowlist_entries/1',
      },
    ]);
    expect(layer.network.allowlist_entries).toEqual(['a.example:1']);
  });

  test.each([
    [network('allowlist'), 'lists no entries'],
    [network('off', 'a.example:1'), 'has no effect with the posture `off`'],
    [network('full', 'a.example:1'), 'has no effect with the posture `full`'],
  ])('a posture that its entries contradict is a problem', (scope, message) => {
    expect(compile([scope]).problems).toMatchObject([
      {code: 'SCOPE_NETWORK_INVALID', message: expect.stringContaining(message), where: 'w.yaml:1/posture'},
    ]);
  });
});

test('an unrestricted layer takes nothing away', () => {
  const layer = unrestrictedLayer('task', 't.yaml');
  expect(layer).toMatchObject({name: 'task', where: 't.yaml', network: {posture: 'full'}});
  expect([...layer.read, ...layer.write].map(({text}) => text)).toEqual(['**', '**']);
});
