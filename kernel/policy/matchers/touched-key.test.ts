import type {PolicyMatcher, PolicyOutcome} from '@lumenflow/schemas';
import {array, assert, constantFrom, oneof, property, record, tuple, type Arbitrary} from 'fast-check';
import {expect, test} from 'vitest';
import type {TouchedPath} from '../index.ts';
import {compileTouchedRule as compile, decideTouched as decide} from '../touched-rule.fixture.ts';

const write = (path: string, more: Partial<TouchedPath> = {}): TouchedPath => ({path, access: 'write', ...more});
const read = (path: string): TouchedPath => ({path, access: 'read'});

test.each<[PolicyMatcher, readonly TouchedPath[] | undefined, PolicyOutcome]>([
  [{writes: 'infra/**'}, [write('infra/a.tf')], 'deny'],
  [{writes: 'infra/**'}, [write('infra')], 'deny'],
  [{writes: 'infra/**'}, [write('src/a'), write('infra/a')], 'deny'],
  [{writes: 'infra/**'}, [write('src/infra/a')], 'allow'],
  [{writes: 'infra/**'}, [read('infra/a')], 'allow'],
  [{writes: 'infra/**'}, [], 'allow'],
  [{writes: 'infra/**'}, undefined, 'allow'],
  [{reads: ['**/*.{pem,key}', 'secrets/**']}, [read('certs/site.key')], 'deny'],
  [{reads: ['**/*.{pem,key}', 'secrets/**']}, [read('certs/site.crt')], 'allow'],
  // Where a file system ignores case or forms, these are the same file.
  [{writes: 'infra/**'}, [write('INFRA/a.tf')], 'deny'],
  [{writes: 'caf\u00e9/**'}, [write('cafe\u0301/x')], 'deny'],
  [{writes: 'infra/**'}, [write('link/a.tf', {leads_to: 'infra/a.tf'})], 'deny'],
  [{not: {writes: 'tmp/**'}}, [write('tmp/a')], 'allow'],
  [{not: {writes: 'tmp/**'}}, [write('tmp/a'), write('src/a')], 'deny'],
  [{not: {writes: 'tmp/**'}}, [write('TMP/a')], 'deny'],
  [{not: {writes: 'tmp/**'}}, [write('tmp/a', {leads_to: 'src/a'})], 'deny'],
  [{not: {writes: 'tmp/**'}}, [write('tmp/a', {leads_out: true})], 'deny'],
  [{not: {writes: 'tmp/**'}}, [], 'deny'],
  [{not: {not: {writes: 'infra/**'}}}, [write('src/a'), write('infra/a')], 'deny'],
])('a rule that denies %j of %j gives %s', (when, touched, expected) => {
  expect(decide('deny', when, touched)).toBe(expected);
});

test.each<[PolicyMatcher, readonly TouchedPath[], PolicyOutcome]>([
  [{writes: 'docs/**'}, [write('docs/a')], 'allow'],
  [{writes: 'docs/**'}, [write('docs/a'), write('src/a')], 'deny'],
  [{writes: 'docs/**'}, [write('Docs/a')], 'deny'],
  [{writes: 'docs/**'}, [write('docs/a', {leads_to: 'src/a'})], 'deny'],
  [{writes: '**'}, [write('docs/a', {leads_out: true})], 'deny'],
  [{writes: 'docs/**'}, [], 'deny'],
  [{not: {writes: 'infra/**'}}, [write('src/a'), write('infra/a')], 'deny'],
  [{not: {writes: 'infra/**'}}, [write('src/a')], 'allow'],
])('a rule that allows %j of %j gives %s', (when, touched, expected) => {
  expect(decide('allow', when, touched)).toBe(expected);
});

test.each([
  ['/etc/**', 'path glob `/etc/**`, character 1: the path is absolute'],
  ['../x', 'path glob `../x`, character 1: `..` is not allowed'],
  ['a/[bc]', 'path glob `a/[bc]`, character 3: character classes are not supported'],
  ['!a', 'path glob `!a`, character 1: negation is not supported'],
])('%j is refused where it is written, and its rule denies', (glob, message) => {
  const {problems} = compile('allow', {writes: glob});
  expect(problems).toMatchObject([{code: 'POLICY_GLOB_INVALID', severity: 'error'}]);
  expect(problems[0]?.message).toContain(message);
});

const paths = constantFrom('a', 'a/b', 'b', 'b/c', 'A/b', 'c');
const touched: Arbitrary<readonly TouchedPath[]> = array(
  oneof(
    paths.map((path) => write(path)),
    tuple(paths, paths).map(([path, leads_to]) => write(path, {leads_to})),
  ),
  {maxLength: 3},
);
const leaf: Arbitrary<PolicyMatcher> = constantFrom('a/**', 'b', '*/b', '**').map((writes) => ({writes}));
const matcher: Arbitrary<PolicyMatcher> = oneof(
  leaf,
  leaf.map((inner) => ({not: inner})),
  record({all: tuple(leaf, leaf)}),
  record({any: tuple(leaf, leaf)}),
  tuple(leaf, leaf).map(([one, other]): PolicyMatcher => ({not: {any: [one, {not: other}]}})),
);

test('touching more never loosens what a rule makes of a call', () => {
  const loose = {allow: 0, approval_required: 1, deny: 2} as const;
  assert(
    property(matcher, touched, touched, (when, some, more) => {
      if (some.length === 0) return;
      for (const decision of ['deny', 'approval_required'] as const) {
        const few = loose[decide(decision, when, some)];
        expect(loose[decide(decision, when, [...some, ...more])]).toBeGreaterThanOrEqual(few);
      }
      const few = loose[decide('allow', when, some)];
      expect(loose[decide('allow', when, [...some, ...more])]).toBeGreaterThanOrEqual(few);
    }),
    {numRuns: Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300)},
  );
});
