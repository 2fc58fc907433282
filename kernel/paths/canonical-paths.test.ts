import {assert, constantFrom, property, array as arrays} from 'fast-check';
import {expect, test} from 'vitest';
import {canonicalPaths} from './canonical-paths.ts';
import {compilePathInputs} from './path-inputs.ts';

const path = {type: 'string', format: 'workspace-path'};

/** The value with canonical paths, and the paths as `pointer path`; or the problems. */
function canonical(schema: object, input: unknown): unknown {
  const {paths: {root} = {}, problems} = compilePathInputs(schema, 'read');
  expect(problems).toEqual([]);
  if (root === undefined) return undefined;
  const read = canonicalPaths(root, structuredClone(input));
  if (!read.ok) return read.problem.map(({pointer, message}) => `${pointer} ${message}`);
  return [read.value, read.paths.map((named) => `${named.pointer} ${named.path}`)];
}

test('a schema without paths compiles to nothing', () => {
  expect(compilePathInputs({type: 'object', properties: {path: {type: 'string'}}}, 'read')).toEqual({problems: []});
  expect(compilePathInputs(undefined, 'read')).toEqual({problems: []});
});

test('paths are made canonical wherever the schema puts them', () => {
  const schema = {
    type: 'object',
    properties: {
      one: path,
      many: {type: 'array', items: path},
      moves: {type: 'array', items: {type: 'object', properties: {from: path, to: {$ref: '#/$defs/place'}}}},
      pair: {type: 'array', prefixItems: [path, {type: 'string'}], items: path},
      either: {anyOf: [{type: 'null'}, path, {type: 'object', properties: {in: path}}]},
      'a/b': path,
      text: {type: 'string'},
    },
    additionalProperties: {allOf: [path]},
    $defs: {place: path},
  };
  expect(
    canonical(schema, {
      one: './a//b/',
      many: ['x/../y', 'z'],
      moves: [{from: 'a/.', to: 'b/./c'}],
      pair: ['a/', './kept', 'c/'],
      either: {in: 'd/../e'},
      'a/b': './f',
      text: './kept',
      other: 'g/',
    }),
  ).toEqual([
    {
      one: 'a/b',
      many: ['y', 'z'],
      moves: [{from: 'a', to: 'b/c'}],
      pair: ['a', './kept', 'c'],
      either: {in: 'e'},
      'a/b': 'f',
      text: './kept',
      other: 'g',
    },
    [
      '/one a/b',
      '/many/0 y',
      '/many/1 z',
      '/moves/0/from a',
      '/moves/0/to b/c',
      '/pair/0 a',
      '/pair/2 c',
      '/either/in e',
      '/a~1b f',
      '/other g',
    ],
  ]);
  expect(canonical(schema, {either: './x', one: 7, many: {no: './list'}})).toEqual([
    {either: 'x', one: 7, many: {no: './list'}},
    ['/either x'],
  ]);
});

test('a schema that refers to itself is followed as deep as the input goes', () => {
  const tree = {
    type: 'object',
    properties: {path, below: {type: 'array', items: {$ref: '#'}}, next: {default: './d', $ref: '#'}},
    additionalProperties: {$ref: '#'},
  };
  expect(
    canonical(tree, {path: './a', below: [{path: 'b/', next: {path: './c', x: {path: './e'}}}], next: {}}),
  ).toEqual([
    {path: 'a', below: [{path: 'b', next: {path: 'c', x: {path: 'e'}}}], next: {}},
    expect.arrayContaining(['/path a', '/below/0/path b', '/below/0/next/path c', '/below/0/next/x/path e']),
  ]);
});

test('keys can be paths; two that name one path are refused', () => {
  const schema = {type: 'object', propertyNames: path, additionalProperties: {type: 'string'}};
  expect(canonical(schema, {'./a': 'x', 'b/': 'y'})).toEqual([{a: 'x', b: 'y'}, ['/.~1a a', '/b~1 b']]);
  expect(canonical(schema, {a: 'x', './a': 'y'})).toEqual(['/.~1a names `a`, as another key does']);
});

test('a default counts as named, and the input stays without it', () => {
  const schema = {properties: {root: {...path, default: '.'}, list: {type: 'array', items: path, default: ['src']}}};
  expect(canonical(schema, {})).toEqual([{}, ['/root .', '/list/0 src']]);
  expect(canonical(schema, {root: 'a/', list: []})).toEqual([{root: 'a', list: []}, ['/root a']]);
});

test.each<readonly [text: string, why: string]>([
  ['', 'is empty: write `.` for the workspace root'],
  ['/etc/passwd', 'is absolute: write it relative to the workspace root, without a leading `/` or a drive letter'],
  ['C:/x', 'is absolute: write it relative to the workspace root, without a leading `/` or a drive letter'],
  ['a\\b', 'contains a backslash: separate directories with `/`'],
  ['a\0b', 'contains a NUL character'],
  ['../a', 'leads outside the workspace'],
  ['a/../../b', 'leads outside the workspace'],
])('%j is refused with its pointer and the reason', (text, why) => {
  expect(canonical({properties: {paths: {items: path}}}, {paths: ['ok', text]})).toEqual([
    `/paths/1 is not a path in the workspace: it ${why}`,
  ]);
});

test('a path that the system would refuse as too long is refused', () => {
  expect(canonical({properties: {path}}, {path: 'a'.repeat(4097)})).toEqual([
    '/path is not a path in the workspace: it is longer than 4096 characters',
  ]);
});

test('a schema may say what is done there, and whether all below is meant', () => {
  const schema = {
    properties: {
      from: {...path, 'x-access': 'read', 'x-recursive': true},
      to: {...path, 'x-access': 'write'},
      both: {anyOf: [{...path, 'x-access': 'write'}, path]},
    },
  };
  const {paths: {root} = {}} = compilePathInputs(schema, 'read');
  const read = root && canonicalPaths(root, {from: 'a', to: 'b', both: 'c'});
  expect(read).toMatchObject({
    paths: [
      {access: ['read'], recursive: true},
      {access: ['write'], recursive: false},
      {access: ['read', 'write'], recursive: false},
    ],
  });
});

test.each([
  [{patternProperties: {'^a': path}}, 'that the kernel cannot reach'],
  [{contains: path}, 'that the kernel cannot reach'],
  [{$dynamicRef: '#x', $defs: {x: {...path, $dynamicAnchor: 'x'}}}, 'that the kernel cannot reach'],
  [{properties: {a: {...path, 'x-access': 'rw'}}}, '`x-access` of a path must be `read` or `write`'],
  [{properties: {a: {...path, 'x-recursive': 1}}}, '`x-recursive` of a path must be `true` or `false`'],
  [{properties: {a: {...path, default: '../x'}}}, 'the `default` of a path leads outside the workspace'],
])('%j is refused at load', (schema, problem) => {
  expect(compilePathInputs(schema, 'read').problems.join()).toContain(problem);
});

test('a definition without a reference is not an input', () => {
  expect(compilePathInputs({$defs: {unused: {properties: {a: path}, contains: path}}}, 'read').problems).toEqual([]);
});

test('every notation of a path becomes the same text', () => {
  const {paths: {root} = {}} = compilePathInputs({properties: {path}}, 'read');
  const noise = arrays(constantFrom('./', '', 'x/../', 'y/./../', '/'), {maxLength: 4});
  assert(
    property(noise, noise, noise, (before, between, after) => {
      const path = `${before.join('').replace(/^\/+/u, '')}infra/${between.join('')}a.tf${after.length > 0 ? '/' : ''}`;
      const read = root && canonicalPaths(root, {path: path});
      expect(read).toMatchObject({value: {path: 'infra/a.tf'}});
    }),
  );
});
