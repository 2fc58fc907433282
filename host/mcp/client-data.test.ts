import {expect, it} from 'vitest';
import {clientData} from './client-data.ts';

const names = new Set(['wu:claim']);
const named = {type: 'string', 'x-names-tools': true};
const text = 'call `wu:claim`';
const theirs = 'call `wu_claim`';

it.each([
  [{properties: {fix: named, content: {type: 'string'}}}, {fix: text, content: text}, {fix: theirs, content: text}],
  [{items: {$ref: '#/$defs/fix'}, $defs: {fix: named}}, [text, text], [theirs, theirs]],
  [{anyOf: [{type: 'null'}, {properties: {fix: named}}]}, {fix: text}, {fix: theirs}],
  [
    {additionalProperties: named, properties: {own: {type: 'string'}}},
    {own: text, other: text},
    {own: text, other: theirs},
  ],
  [
    {properties: {steps: {'x-names-tools': true}}},
    {steps: [{tool: 'wu:claim', n: 1}]},
    {steps: [{tool: 'wu_claim', n: 1}]},
  ],
])('%j changes only what it marks', (schema, data, expected) => {
  expect(clientData(data, schema, names)).toEqual(expected);
});

it('data without such a schema stays as it is', () => {
  const data = {content: text};
  expect(clientData(data, {properties: {content: {type: 'string'}}}, names)).toBe(data);
  expect(clientData(data, undefined, names)).toBe(data);
});
