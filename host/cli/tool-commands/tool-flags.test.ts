import {expect, test} from 'vitest';
import {flagsOf} from './tool-flags.ts';

const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const flag = (schema: object) => flagsOf(object({x: schema}))[0];

test('each field is a flag, fields of fields are joined by dots', () => {
  const schema = object(
    {
      id: {type: 'string', description: 'Its name'},
      tests: object({unit: {type: 'array', items: {type: 'string'}}}, ['unit']),
    },
    ['id'],
  );
  expect(flagsOf(schema)).toEqual([
    {name: 'id', path: ['id'], kind: 'text', repeats: false, required: true, description: 'Its name'},
    {name: 'tests.unit', path: ['tests', 'unit'], kind: 'text', repeats: true, required: false, description: ''},
  ]);
  expect(flagsOf(undefined)).toEqual([]);
  expect(flagsOf(object({dry_run: {type: 'boolean'}})).map(({name}) => name)).toEqual(['dry-run']);
});

test.each([
  [{type: 'integer'}, 'integer'],
  [{type: ['number', 'null']}, 'number'],
  [{type: 'boolean'}, 'boolean'],
  [{type: ['string', 'null']}, 'text'],
  [{type: ['string', 'object']}, 'text'],
  [{type: ['integer', 'boolean']}, 'any'],
  [{type: 'object'}, 'json'],
  [{}, 'any'],
  [{oneOf: [{type: 'string'}]}, 'any'],
])('%j is %s', (schema, kind) => {
  expect(flag(schema)).toMatchObject({kind, repeats: false});
});

test('lists repeat what their items are; what there is to choose from is known', () => {
  expect(flag({type: 'array', items: {enum: ['a', 1]}})).toMatchObject({repeats: true, choices: ['a', 1]});
  expect(flag({type: 'array', items: object({})})).toMatchObject({repeats: true, kind: 'json'});
  expect(flag({const: 3})).toMatchObject({choices: [3]});
});

test('references within the schema are followed, others are any JSON', () => {
  const $defs = {'a/b': {type: 'integer', description: 'A number'}};
  const schema = {...object({x: {$ref: '#/$defs/a~1b'}, y: {$ref: 'other.json'}}), $defs};
  expect(flagsOf(schema)).toMatchObject([
    {kind: 'integer', description: 'A number'},
    {name: 'y', kind: 'any'},
  ]);
});

test('an object without known fields, and one too deep, are JSON', () => {
  const deep = object({b: object({c: object({d: object({e: {type: 'string'}})})})});
  expect(flagsOf(object({a: deep}))).toMatchObject([{name: 'a.b.c.d', kind: 'json'}]);
});
