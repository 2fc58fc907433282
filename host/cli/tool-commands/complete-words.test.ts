import type {ToolDeclaration} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {completeWords, type CommandTree} from './complete-words.ts';

const command = (name: string, more: Partial<CommandTree> = {}): CommandTree => ({
  name,
  description: `does ${name}`,
  commands: [],
  options: [],
  argument: undefined,
  ...more,
});
const tree = command('lumenflow', {
  options: [
    {flag: '--json', description: ''},
    {flag: '--workspace', description: '', value: {name: 'workspace', choices: []}},
  ],
  commands: [
    command('evidence', {
      commands: [
        command('list', {
          options: [{flag: '--result', description: 'which', value: {name: 'result', choices: ['success', 'failure']}}],
        }),
        command('show', {argument: 'receipt'}),
      ],
    }),
    command('tools', {commands: [command('call', {argument: 'tool', options: [{flag: '--as', description: ''}]})]}),
  ],
});
const tool = (name: string, properties: object = {}): ToolDeclaration => ({
  name,
  description: `Is ${name}`,
  handler_entry: 'x#x',
  permission: 'read',
  input_schema: {type: 'object', properties},
});
const tools = [
  tool('evidence:count'),
  tool('gates', {dry_run: {type: 'boolean'}, only: {type: 'array', items: {enum: ['lint', 'test']}}}),
  tool('tools'),
  tool('wu:claim', {id: {type: 'string'}, lane: {type: 'string'}}),
  tool('wu:create'),
];
const complete = (...words: readonly string[]) => completeWords(words, tree, tools).suggestions.map(({value}) => value);

test.each([
  [[''], ['evidence', 'tools', 'gates', 'wu']],
  [['help', 'w'], ['wu']],
  [
    ['evidence', ''],
    ['list', 'show', 'count'],
  ],
  [['evidence', 'list', ''], ['--result']],
  [['evidence', 'list', '--result', 'f'], ['failure']],
  [['evidence', 'list', '--workspace', ''], []],
  [['tools', ''], ['call']],
  [['tools', 'call', 'wu:cr'], ['wu:create']],
  [['tools', 'call', 'wu:create', ''], ['--as']],
  [
    ['wu', 'c'],
    ['claim', 'create'],
  ],
  [['none', ''], []],
  [
    ['wu', 'claim', '--'],
    ['--id', '--lane', '--input', '--call-lane', '--task', '--session', '--as', '--json', '--workspace'],
  ],
  [['wu:claim', '--id', '1', '--i'], ['--input']],
  [['wu', 'claim', '--id', ''], []],
  [
    ['gates', '--only', ''],
    ['lint', 'test'],
  ],
  [['gates', '--only', 'lint', '--o'], ['--only']],
  [['gates', '--dry-run', '--only', 't'], ['test']],
  [['gates', '--dry-run', '--d'], []],
])('%j: %j', (words, values) => {
  expect(complete(...words)).toEqual(values);
});

test('each has what it does beside it', () => {
  expect(completeWords(['wu', 'cl'], tree, tools).suggestions).toEqual([{value: 'claim', description: 'Is wu:claim'}]);
});

test.each([
  [['evidence', 'show', ''], 'receipt'],
  [['tools', 'call', 'gates', '--as', ''], undefined],
  [['--workspace', ''], 'workspace'],
  [['evidence', 'list', ''], undefined],
  [['wu', 'create', '--task', ''], 'task'],
  [['evidence', 'show', 'rcp-1', ''], undefined],
])('%j names a %s', (words, names) => {
  expect(completeWords(words, tree, tools).names).toBe(names);
});
