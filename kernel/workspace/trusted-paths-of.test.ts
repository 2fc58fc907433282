import type {WorkspaceSpec} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {literalPattern} from '../scopes/literal-pattern.ts';
import {compileMatcher} from '../scopes/path-matcher.ts';
import {parsePattern} from '../scopes/parse-pattern.ts';
import {trustedPathsOf} from './trusted-paths-of.ts';

const pin = {id: 'x', version: '1.0.0', integrity: 'dev'} as const;

test('directories of local packs, included rules and what workspace.yaml names are trusted', () => {
  const packs = ['packs/a', './packs//b/', 'packs/../c', '../outside', '.', 'a/../..', '/absolute'].map(
    (path) => ({...pin, source: 'local', path}) as const,
  );
  const fetched = {...pin, source: 'git', url: 'https://e.example/x.git', ref: 'v1', path: 'inside'} as const;
  const security: WorkspaceSpec['security'] = {allowed_scopes: [], trusted_paths: ['Makefile']};
  const policies: WorkspaceSpec['policies'] = {include: ['policies/{x}.yaml']};
  expect(trustedPathsOf({packs: [...packs, fetched], security, policies})).toEqual([
    'packs/a',
    'packs/b',
    'c',
    literalPattern('policies/{x}.yaml'),
    'Makefile',
  ]);
});

test.each(['packs/{a}', 'packs/{a,b}/c', 'a*b', '**', '[x]', '!(y)', 'b\\c', '+(d)', 'e{', 'what?', '~/f', 'C:/d'])(
  'the directory `%s` is trusted, whatever its characters mean in patterns',
  (path) => {
    const packs = [{...pin, source: 'local', path} as const];
    const [pattern = ''] = trustedPathsOf({packs, security: {allowed_scopes: []}});
    const parsed = parsePattern(pattern);
    expect(parsed.ok && compileMatcher(parsed.value)(path)).toBe(true);
    expect(parsed.ok && compileMatcher(parsed.value)('packs/other')).toBe(false);
  },
);
