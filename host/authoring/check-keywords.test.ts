import type {LoadedPack} from '@lumenflow/kernel';
import {describe, expect, it} from 'vitest';
import {checkKeywords} from './check-keywords.ts';

function check(input_schema: object): readonly string[] {
  const pack = {
    tools: [{declaration: {name: 'a:b', input_schema}}],
    where: (pointer: string) => `at ${pointer}`,
  } as unknown as LoadedPack;
  return checkKeywords(pack).map(({where, help}) => `${where} ${help ?? ''}`);
}

describe('checkKeywords', () => {
  it.each([
    ['minLenght', 'minLength'],
    ['requierd', 'required'],
    ['additionalProperites', 'additionalProperties'],
    ['x-acess', 'x-access'],
    ['tpye', 'type'],
  ])('finds %s, wherever a schema can be', (name, near) => {
    const wrong = {[name]: 1};
    const schema = {
      ...wrong,
      properties: {'a/b': wrong},
      items: [wrong],
      anyOf: [{not: wrong}],
      $defs: {c: {if: wrong, additionalProperties: wrong}},
    };
    const places = ['', '/properties/a~1b', '/items/0', '/anyOf/0/not', '/$defs/c/if', '/$defs/c/additionalProperties'];
    expect(check(schema)).toEqual(
      places.map((at) => `at /tools/0/input_schema${at}/${name} did you mean \`${near}\`?`),
    );
  });

  it('does not mistake names, data and own annotations for keywords', () => {
    const schema = {
      type: 'object',
      note: 'ours',
      'x-ui': {tpye: 'slider'},
      required: ['tpye'],
      properties: {tpye: {const: {requierd: 1}, default: {tpye: 1}, enum: [{itmes: 1}], examples: [{tpye: 1}]}},
      dependentRequired: {tpye: ['itmes']},
    };
    expect(check(schema)).toEqual([]);
  });
});
