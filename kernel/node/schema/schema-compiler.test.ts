import type {SchemaIssue} from '@lumenflow/kernel/adapters';
import {expect, test} from 'vitest';
import {createSchemaCompiler} from './schema-compiler.ts';

const compiler = createSchemaCompiler();
const locate = (pointer: string): string => `manifest.yaml#${pointer}`;

function issues(schema: object, value: unknown): readonly SchemaIssue[] {
  const compiled = compiler.compile(schema, locate);
  if (!compiled.ok) throw new Error(compiled.problem.message);
  const found = compiled.value(value);
  expect(compiler.compileLater(schema)(value)).toEqual(found);
  return found;
}

const person = {
  type: 'object',
  properties: {
    name: {type: 'string', minLength: 1},
    mood: {enum: ['good', 'bad']},
    home: {$ref: '#/$defs/address'},
    age: {anyOf: [{type: 'integer', minimum: 0}, {type: 'null'}]},
    mail: {type: 'string', format: 'email'},
  },
  required: ['name'],
  additionalProperties: false,
  $defs: {address: {type: 'object', properties: {zip: {type: 'string', pattern: '^[0-9]{5}$'}}}},
};

test.each([[{name: 'a', mood: 'good', home: {zip: '12345'}, age: null, mail: 'a@b.de'}], [{name: 'a', age: 3}]])(
  '%j is valid',
  (value) => {
    expect(issues(person, value)).toEqual([]);
  },
);

test('all mistakes of a value are named, each with its pointer', () => {
  expect(issues(person, {mood: 'goood', home: {zip: 'x'}, age: -1, mail: 'x', nme: 1})).toEqual([
    {pointer: '', message: '`name` is missing'},
    {
      pointer: '/nme',
      message: 'unknown key `nme` (did you mean `name`? allowed here: name, mood, home, age, mail)',
    },
    {pointer: '/mood', message: '`mood` is `goood`, which is not one of `good`, `bad` (did you mean `good`?)'},
    {pointer: '/home/zip', message: '`zip` is `x`, which does not match `^[0-9]{5}$`'},
    {pointer: '/age', message: '`age` is `-1`, which is too small (write a number of at least 0)'},
    {pointer: '/mail', message: '`mail` is `x`, which is not a valid email (write for example `ann@mail.example`)'},
  ]);
});

test('a union names what it takes when the value fits no branch', () => {
  expect(issues({properties: {age: {anyOf: [{type: 'integer'}, {type: 'null'}]}}}, {age: 'x'})).toEqual([
    {pointer: '/age', message: '`age` matches none of the allowed forms (use a whole number or nothing)'},
  ]);
});

test('an empty text is too short, whatever pattern it breaks as well', () => {
  const title = {type: 'string', minLength: 3, pattern: '^[a-z]+$'};
  const found = (value: string): readonly string[] =>
    issues({properties: {title}}, {title: value}).map(({message}) => message);
  expect(found('')).toEqual(['`title` must not have fewer than 3 characters']);
  expect(found('ABC')).toEqual(['`title` is `ABC`, which does not match `^[a-z]+$`']);
});

test('a large value is checked to its first mistake, and never yields more than twenty', () => {
  const list = {type: 'array', items: {type: 'string'}};
  expect(
    issues(
      list,
      Array.from({length: 5000}, () => 1),
    ),
  ).toHaveLength(1);
  expect(
    issues(
      list,
      Array.from({length: 100}, () => 1),
    ),
  ).toHaveLength(20);
});

test.each([
  [{type: 'strng'}, 'manifest.yaml#/type', '`type`'],
  [{properties: {a: 5}}, 'manifest.yaml#/properties/a', '`a` must be a map or a boolean but is a number'],
  [
    {properties: {a: {minLength: -1}}},
    'manifest.yaml#/properties/a/minLength',
    '`minLength` is `-1`, which is too small',
  ],
  [{anyOf: []}, 'manifest.yaml#/anyOf', '`anyOf` is empty'],
  [{pattern: '('}, 'manifest.yaml#', 'Unterminated group'],
  [{$ref: '#/$defs/gone'}, 'manifest.yaml#', "can't resolve reference #/$defs/gone"],
  [{$ref: 'other.json'}, 'manifest.yaml#', "can't resolve reference other.json"],
  [{properties: {a: {format: 'emial'}}}, 'manifest.yaml#/properties/a', 'the format `emial` is not known'],
  [{$async: true, type: 'string'}, 'manifest.yaml#/$async', '`$async` is not part of JSON Schema'],
  [{$schema: 'http://json-schema.org/draft-04/schema#'}, 'manifest.yaml#', 'draft-04'],
  [{description: 'x'.repeat(256 * 1024)}, 'manifest.yaml#', 'larger than'],
])('a broken schema is a problem: %j', (schema, where, message) => {
  const compiled = compiler.compile(schema, locate);
  expect(compiled).toMatchObject({problem: {code: 'SCHEMA_INVALID', where}});
  expect(compiled.ok ? '' : compiled.problem.message).toContain(message);
});

test('two schemas may carry the same $id', () => {
  expect(issues({$id: 'https://a.example/x', type: 'string'}, 1)).toHaveLength(1);
  expect(issues({$id: 'https://a.example/x', type: 'number'}, 1)).toEqual([]);
});

test('each pattern is itself', () => {
  const schema = {properties: {a: {pattern: '^a$'}, b: {pattern: '^b$'}, c: {pattern: '^(?=c)c$'}}};
  expect(issues(schema, {a: 'a', b: 'b', c: 'c'})).toEqual([]);
  expect(issues(schema, {a: 'b', b: 'a', c: 'b'}).map(({pointer}) => pointer)).toEqual(['/a', '/b', '/c']);
});

test('what cannot be checked is refused', () => {
  const tree = {$defs: {node: {type: 'array', items: {$ref: '#/$defs/node'}}}, $ref: '#/$defs/node'};
  let deep: unknown = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(issues(tree, deep)[0]?.message).toMatch(/cannot be checked.*stack/);
  expect(issues({pattern: '^(?=a)(a+)+$'}, `${'a'.repeat(100)}!`)[0]?.message).toMatch(/cannot be checked.*timed out/);
});
