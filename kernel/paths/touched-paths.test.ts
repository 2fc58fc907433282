import type {PolicyMatcher} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {compileHoles, compileScopeLayer, grantScopes, type Grant} from '../scopes/index.ts';
import {touchedPaths} from './touched-paths.ts';
import {decideTouched as decide} from '../policy/touched-rule.fixture.ts';

function granted(pattern: string, overlays: readonly string[] = []): Grant {
  const scopes = [{type: 'path' as const, pattern, access: 'read' as const}];
  const layer = (name: 'lane' | 'tool') =>
    compileScopeLayer({name, scopes, where: () => name, networkDefault: 'off'}).layer;
  const {holes} = compileHoles(overlays, () => 'o');
  const grant = grantScopes({layers: [layer('lane'), layer('tool')], holes});
  if (!grant.ok) throw new Error(grant.problem.message);
  return grant.value;
}

test('a directory counts with all in it that is granted and not hidden', () => {
  const named = (path: string) => ({pointer: '/path', path, access: ['read' as const], recursive: true});
  const searching = (path: string, grant?: Grant) => touchedPaths([named(path)], grant);
  const pem: PolicyMatcher = {reads: '**/*.pem'};
  expect(decide('deny', pem, searching('.'))).toBe('deny');
  expect(decide('deny', pem, searching('certs'))).toBe('deny');
  expect(decide('deny', pem, searching('.', granted('**')))).toBe('deny');
  expect(decide('deny', pem, searching('.', granted('src/*.ts')))).toBe('allow');
  expect(decide('deny', {reads: 'infra/**'}, searching('.', granted('src/**')))).toBe('allow');
  expect(decide('deny', {reads: 'infra/**'}, searching('.', granted('**')))).toBe('deny');
  expect(decide('deny', {reads: 'infra/**'}, searching('.', granted('{src,infra}/**', ['infra'])))).toBe('allow');
  expect(decide('allow', {reads: 'src/**'}, searching('src', granted('**')))).toBe('allow');
  expect(decide('allow', {reads: 'src/**'}, searching('.', granted('**')))).toBe('deny');
});
