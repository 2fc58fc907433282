import {expect, test} from 'vitest';
import {readToolWords} from './tool-words.ts';

const builtIns = new Map([
  ['evidence', new Set(['list', 'show'])],
  ['init', new Set<string>()],
  ['help', new Set<string>()],
]);
const read = (...args: readonly string[]) => readToolWords(args, builtIns);
const both = [
  {tool: 'wu:claim', words: 2},
  {tool: 'wu', words: 1},
];

test.each([
  ['wu claim --id 1', both],
  ['wu --id claim', [{tool: 'wu', words: 1}]],
  ['gates WU-1', [{tool: 'gates', words: 1}]],
  ['wu:claim show', [{tool: 'wu:claim', words: 1}]],
  ['evidence:list', [{tool: 'evidence:list', words: 1}]],
  ['evidence count', [{tool: 'evidence:count', words: 2}]],
])('`%s` may be a tool', (line, candidates) => {
  expect(read(...line.split(' '))?.candidates).toEqual(candidates);
});

test.each([
  '',
  'evidence',
  'evidence list',
  'evidence help',
  'evidence --help',
  'init folder',
  'help evidence',
  '--version',
  'help',
])('`%s` is the program’s own', (line) => {
  expect(read(...line.split(' ').filter((word) => word !== ''))).toBeUndefined();
});

test('options of the program are removed at any position', () => {
  expect(read('--json', 'wu', '-w', 'a b', 'claim', '--no-color', '--id', '1')).toMatchObject({
    globals: {json: true, workspace: 'a b', color: false},
    wantsHelp: false,
    args: ['wu', 'claim', '--id', '1'],
    candidates: both,
  });
  expect(read('wu', 'claim', '--workspace=x')?.globals).toEqual({workspace: 'x'});
  expect(read('wu', 'claim', '-wx')?.globals).toEqual({workspace: 'x'});
  expect(read('wu', 'claim', '--', '--json')).toMatchObject({globals: {}, args: ['wu', 'claim', '--json']});
});

test('help is asked for in two ways', () => {
  for (const words of [read('help', 'wu', 'claim'), read('wu', 'claim', '-h')]) {
    expect(words).toMatchObject({wantsHelp: true, candidates: both, domain: 'wu'});
  }
});
