import {expect, test} from 'vitest';
import {resultShape} from './result-shape.ts';

const member = {type: 'object', required: ['name'], properties: {name: {type: 'string', minLength: 1}}};

test('two levels of members, without prose, bounds and items', () => {
  const schema = {
    type: 'object',
    required: ['unit'],
    properties: {
      unit: {...member, properties: {...member.properties, inner: member}},
      state: {enum: ['a', 'b']},
      list: {type: 'array', items: member},
    },
  };
  expect(resultShape(schema)).toEqual({
    type: 'object',
    required: ['unit'],
    properties: {
      unit: {type: 'object', properties: {name: {type: 'string'}, inner: {type: 'object'}}},
      state: {enum: ['a', 'b']},
      list: {type: 'array'},
    },
  });
});

test('references are followed within their resource, and one that leads elsewhere or in a circle allows everything', () => {
  const schema = {
    $ref: '#/$defs/whole',
    $defs: {
      whole: {
        type: 'object',
        properties: {
          'a/b': {$ref: '#/$defs/a~1b'},
          own: {$id: 'urn:own', $ref: '#/$defs/text', $defs: {text: {type: 'integer'}}},
          circle: {$ref: '#/$defs/circle'},
          away: {$ref: 'urn:elsewhere'},
        },
      },
      'a/b': {type: 'boolean'},
      text: {type: 'string'},
      circle: {$ref: '#/$defs/circle'},
    },
  };
  expect(resultShape(schema)).toEqual({
    type: 'object',
    properties: {'a/b': {type: 'boolean'}, own: {type: 'integer'}, circle: {}, away: {}},
  });
});
