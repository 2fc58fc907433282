import {expect, test} from 'vitest';
import {clientSchema, resultSchema} from './client-schema.ts';

test('an input keeps what a model reads, without the keywords of the kernel, in the words of the client', () => {
  const schema = {
    type: 'object',
    properties: {
      path: {description: 'A file of wu:claim.', type: 'string', 'x-access': 'read', maxLength: 9},
      'x-note': {type: 'string'},
    },
    dependentRequired: {'x-note': ['path']},
    examples: [{'x-note': 'a'}],
  };
  expect(clientSchema(schema, new Set(['wu:claim']))).toEqual({
    ...schema,
    properties: {path: {description: 'A file of wu_claim.', type: 'string', maxLength: 9}, 'x-note': {type: 'string'}},
  });
});

test('a result keeps its shape, and names that look like keywords', () => {
  const output = {
    type: 'object',
    required: ['title'],
    additionalProperties: false,
    properties: {
      title: {description: 'For people.', type: 'string', minLength: 1},
      kind: {enum: ['description', 'title']},
      more: {type: 'object', additionalProperties: {type: 'integer', minimum: 0}},
    },
  };
  expect(resultSchema(output)).toEqual({
    type: 'object',
    anyOf: [
      {
        type: 'object',
        required: ['title'],
        properties: {
          title: {type: 'string'},
          kind: {enum: ['description', 'title']},
          more: {type: 'object'},
        },
      },
      {required: ['code', 'message']},
    ],
  });
});
