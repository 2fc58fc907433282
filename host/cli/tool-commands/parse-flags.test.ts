import {describe, expect, test} from 'vitest';
import {parseFlags} from './parse-flags.ts';
import {flagsOf} from './tool-flags.ts';

const schema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: {type: 'string'},
    size: {type: 'integer'},
    ratio: {type: 'number'},
    dry_run: {type: 'boolean'},
    labels: {type: 'array', items: {type: 'string'}},
    kinds: {type: 'array', items: {enum: ['bug', 'chore']}},
    flags: {type: 'array', items: {type: 'boolean'}},
    tests: {type: 'object', properties: {unit: {type: 'array', items: {type: 'string'}}, max: {type: 'integer'}}},
    extra: {type: 'object'},
    any: {},
    lane: {type: 'string'},
  },
};
const parse = (...args: readonly string[]) => parseFlags(args, flagsOf(schema), 'lumenflow wu new');

test('values become what the schema says', () => {
  const args = '--id 7 --size 3 --ratio=-0.5 --dry-run --labels a --labels=b,c --kinds bug --any [1] --extra {"a":1}';
  expect(parse(...args.split(' '))).toEqual({
    input: {
      id: '7',
      size: 3,
      ratio: -0.5,
      dry_run: true,
      labels: ['a', 'b,c'],
      kinds: ['bug'],
      any: [1],
      extra: {a: 1},
    },
    fields: [],
    options: {},
    mistakes: [],
  });
});

test('fields of fields find their place, and texts may look like flags', () => {
  const {input} = parse('--tests.unit', '--x', '--tests.unit', 'b', '--tests.max', '4', '--any', 'as it is');
  expect(input).toEqual({tests: {unit: ['--x', 'b'], max: 4}, any: 'as it is'});
});

test('the last part of a name is enough if it is not ambiguous', () => {
  const {input, options} = parse('--unit', 'a', '--max', '4', '--lane', 'docs');
  expect([input, options]).toEqual([{tests: {unit: ['a'], max: 4}, lane: 'docs'}, {}]);
});

test.each([
  [['--no-dry-run'], {dry_run: false}],
  [['--dry_run'], {dry_run: true}],
  [['--dry-run=false'], {dry_run: false}],
  [['--dry-run', 'size:=4'], {dry_run: true}],
  [['--flags', 'true', '--flags', 'false'], {flags: [true, false]}],
])('%j', (args, input) => {
  expect(parse(...args).input).toEqual(input);
});

test('call options are separated; a field of the same name wins', () => {
  expect(parse('--session', 's', '--as', 'ann', '-i', 'x.json', 'size:=4', 'id=a b')).toEqual({
    input: {},
    fields: ['size:=4', 'id=a b'],
    options: {session: 's', as: 'ann', input: 'x.json'},
    mistakes: [],
  });
  const {input, options} = parse('--lane', 'docs', '--call-lane', 'core');
  expect([input, options]).toEqual([{lane: 'docs'}, {lane: 'core'}]);
});

describe('a mistake names its flag', () => {
  test.each([
    [['--sise', '3'], 'unknown flag `--sise`', 'did you mean `--size`?'],
    [['--sesion', 's'], 'unknown flag `--sesion`', 'did you mean `--session`?'],
    [['--zzzzzz'], 'unknown flag `--zzzzzz`', 'see `lumenflow wu new --help`'],
    [['--no-size'], 'unknown flag `--no-size`', 'see `lumenflow wu new --help`'],
    [['--size', 'big'], '`--size` takes a whole number, not `big`', undefined],
    [['--size', '1.5'], '`--size` takes a whole number, not `1.5`', undefined],
    [['--ratio', ''], '`--ratio` takes a number, not ``', undefined],
    [['--size'], '`--size` needs a value', undefined],
    [['--as'], '`--as` needs a value', undefined],
    [['--id', 'a', '--id', 'b'], '`--id` is given twice', undefined],
    [['--dry-run=maybe'], '`--dry-run` takes no value, or `true` or `false`, not `maybe`', undefined],
    [['--kinds', 'bugg'], '`--kinds` is one of bug, chore, not `bugg`', 'did you mean `bug`?'],
    [['WU-1'], '`WU-1` does not belong to a flag', 'write `--id WU-1`, or key=value'],
  ])('%j', (args, message, help) => {
    const options = {exitCode: 2, ...(help !== undefined && {help})};
    expect(parse(...args).mistakes).toMatchObject([{error: {code: 'USAGE', message, options}}]);
  });

  test('and the others are named together with it', () => {
    const {mistakes, input} = parse('--sise', '3', '--kinds', 'bugg', '--size', 'big', '--id', 'a');
    expect(mistakes.map(({flag, error}) => [flag, error.message])).toEqual([
      [undefined, 'unknown flag `--sise`'],
      ['kinds', '`--kinds` is one of bug, chore, not `bugg`'],
      ['size', '`--size` takes a whole number, not `big`'],
    ]);
    expect(input).toEqual({id: 'a'});
  });

  test('invalid JSON is reported with its position', () => {
    expect(parse('--extra', '{').mistakes[0]?.error.message).toMatch(/^`--extra` takes JSON: /u);
  });
});

test('wrong values are reported together, each with its advice', () => {
  const {mistakes} = parse('--size', 'x', '--kinds', 'bugs', '--labels', 'a', '--size', '3');
  const said = mistakes.map(({error}) => `${error.message} ${error.options.help ?? ''}`).join('; ');
  expect(said).toMatch(/^`--size` .*; `--kinds` .*did you mean `bug`\?.*; `--size` is given twice/u);
});

test('a nested flag can be named by its last part, unless that is ambiguous', () => {
  expect(parse('--unit', 'a', '--max', '3').input).toEqual({tests: {unit: ['a'], max: 3}});
  const twice = {type: 'object', properties: {a: schema.properties.tests, b: schema.properties.tests}};
  const {mistakes} = parseFlags(['--unit', 'a'], flagsOf(twice), 'x');
  expect(mistakes[0]?.error.message).toBe('unknown flag `--unit`');
});
