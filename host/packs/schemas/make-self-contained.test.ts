import {createSchemaCompiler} from '@lumenflow/kernel/node';
import {Ajv2020} from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {embedReferences} from './embed-references.ts';
import {PackFileError} from '../files/pack-files.ts';
import {makeSelfContained} from './make-self-contained.ts';

const files = (documents: Readonly<Record<string, object>>) => ({
  read: async (path: string) => {
    const document = documents[path];
    if (document === undefined) throw new PackFileError(path, 'is not a file of the pack');
    return await Promise.resolve(new TextEncoder().encode(JSON.stringify(document)));
  },
});
const embedded = async (schema: object, documents: Readonly<Record<string, object>> = {}) =>
  await embedReferences(schema, 'manifest.yaml', files(documents));

const session = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {id: {$ref: '#/$defs/id'}, next: {$ref: '#'}, limits: {$ref: '../config.json#/properties/limits'}},
  $defs: {id: {type: 'string', minLength: 1}, unused: {type: 'null'}},
};
const config = {properties: {limits: {type: 'object', properties: {of: {$ref: 'schemas/session.json#/$defs/id'}}}}};
const documents = {'schemas/session.json': session, 'config.json': config};

test('each referenced schema becomes a definition named after it, and the rest of its file is omitted', async () => {
  const schema = {
    type: 'object',
    properties: {
      id: {description: 'Whose', $ref: 'schemas/session.json#/$defs/id'},
      last: {$ref: 'schemas/session.json'},
    },
  };
  expect(makeSelfContained(await embedded(schema, documents))).toEqual({
    type: 'object',
    properties: {id: {description: 'Whose', $ref: '#/$defs/id'}, last: {$ref: '#/$defs/session'}},
    $defs: {
      id: {type: 'string', minLength: 1},
      session: {
        type: 'object',
        properties: {id: {$ref: '#/$defs/id'}, next: {$ref: '#/$defs/session'}, limits: {$ref: '#/$defs/limits'}},
      },
      limits: {type: 'object', properties: {of: {$ref: '#/$defs/id'}}},
    },
  });
});

test('a schema that is only a reference becomes its target', async () => {
  const alone = makeSelfContained(await embedded({$ref: 'schemas/session.json'}, documents));
  expect(alone).toMatchObject({type: 'object', properties: {next: {$ref: '#'}}});
  const chain = {$ref: '#/$defs/a', $defs: {a: {$ref: '#/$defs/b'}, b: {type: 'string'}}};
  expect(makeSelfContained(chain)).toEqual({type: 'string'});
});

test('a cycle of references remains one, and `false` is kept', () => {
  expect(makeSelfContained({$ref: '#/$defs/a', $defs: {a: {$ref: '#/$defs/a'}}})).toEqual({$ref: '#'});
  const nothing = {$ref: '#/$defs/never', $defs: {never: false}};
  expect(makeSelfContained(nothing)).toEqual(nothing);
});

test('definitions of the same name in two files get different names', async () => {
  const both = {
    properties: {a: {$ref: 'a.json#/$defs/id'}, b: {$ref: 'b.json#/$defs/id'}, c: {$ref: '#/$defs/id_2'}},
    $defs: {id_2: {type: 'null'}},
  };
  const alone = makeSelfContained(
    await embedded(both, {'a.json': {$defs: {id: {type: 'string'}}}, 'b.json': {$defs: {id: {type: 'integer'}}}}),
  );
  expect(alone).toEqual({
    properties: {a: {$ref: '#/$defs/id'}, b: {$ref: '#/$defs/id_2'}, c: {$ref: '#/$defs/id_2_2'}},
    $defs: {id: {type: 'string'}, id_2: {type: 'integer'}, id_2_2: {type: 'null'}},
  });
});

test('distinguishes names and data from schemas', async () => {
  const schema = {
    properties: {default: {$ref: 'a.json'}, $ref: {type: 'string'}, enum: {enum: [{$ref: 'a.json'}]}},
    default: {$id: 'x', $ref: 'a.json'},
  };
  expect(makeSelfContained(await embedded(schema, {'a.json': {type: 'null'}}))).toEqual({
    ...schema,
    properties: {...schema.properties, default: {$ref: '#/$defs/a'}},
    $defs: {a: {type: 'null'}},
  });
});

test('follows anchors, `$id`s and escaped pointers within', () => {
  const schema = {
    properties: {
      anchored: {$ref: 'urn:x:part#here'},
      whole: {$ref: 'urn:x:part'},
      escaped: {$ref: '#/definitions/a~1b%20c'},
      lone: {$ref: '#/definitions/50%'},
      relative: {$ref: 'https://e.example/a/b'},
    },
    definitions: {
      part: {$id: 'urn:x:part', type: 'array', items: {$anchor: 'here', type: 'string'}},
      'a/b c': {type: 'integer'},
      '50%': {type: 'null'},
      site: {$id: 'https://e.example/a/', $defs: {b: {$id: 'b', type: 'boolean'}}},
    },
  };
  expect(makeSelfContained(schema)).toEqual({
    properties: {
      anchored: {$ref: '#/$defs/here'},
      whole: {$ref: '#/$defs/part'},
      escaped: {$ref: '#/$defs/a_b_c'},
      lone: {$ref: '#/$defs/50_'},
      relative: {$ref: '#/$defs/b'},
    },
    $defs: {
      here: {type: 'string'},
      part: {type: 'array', items: {type: 'string'}},
      a_b_c: {type: 'integer'},
      '50_': {type: 'null'},
      b: {type: 'boolean'},
    },
  });
});

test('two schemas with the same `$id` stay separate; one without references is unchanged', () => {
  expect(makeSelfContained({$id: 'urn:x:one', type: 'string'})).toEqual({type: 'string'});
  const plain = {type: 'object', properties: {a: {type: 'string'}}};
  expect(makeSelfContained(plain)).toBe(plain);
});

test('keeps references to other documents, and schemas with `$dynamicRef`', () => {
  const meta = {properties: {schema: {$ref: 'https://json-schema.org/draft/2020-12/schema'}, gone: {$ref: '#/x/y'}}};
  expect(makeSelfContained(meta)).toEqual(meta);
  const dynamic = {$id: 'urn:x:tree', $dynamicAnchor: 'node', items: {$dynamicRef: '#node'}};
  expect(makeSelfContained(dynamic)).toBe(dynamic);
});

const leaf = fc.constantFrom({type: 'string'}, {type: 'integer'}, {$ref: '#/$defs/own'}, {$ref: 'a.json#/$defs/own'});
const {schema: anySchema} = fc.letrec<{schema: object; inner: object}>((tie) => ({
  inner: fc.oneof(
    {maxDepth: 3, withCrossShrink: true},
    leaf,
    fc.constantFrom({$ref: 'a.json'}, {$ref: 'b.json#/items'}, {$ref: 'b.json'}),
    fc.dictionary(fc.constantFrom('a', 'b', 'default', '$id'), tie('inner')).map((properties) => ({properties})),
    tie('inner').map((items) => ({type: 'array', items})),
    fc.array(tie('inner'), {minLength: 1, maxLength: 2}).map((anyOf) => ({anyOf})),
  ),
  schema: tie('inner').map((inner) => ({properties: {x: inner}, $defs: {own: {type: 'array', items: {type: 'null'}}}})),
}));
const value = fc
  .jsonValue({maxDepth: 3})
  .chain((x) => fc.constantFrom<unknown>({x}, {x: [x]}, {x: {a: x, b: [x]}}, {x: {default: x}}));

test("a plain validator of the result agrees with the host's validator of the original", async () => {
  const compiler = createSchemaCompiler();
  await fc.assert(
    fc.asyncProperty(anySchema, anySchema, fc.array(value, {maxLength: 6}), async (schema, other, values) => {
      const whole = await embedded(schema, {'a.json': other, 'b.json': {type: 'array', items: {$ref: 'a.json'}}});
      const alone = makeSelfContained(whole);
      expect(JSON.stringify(alone)).not.toMatch(/"\$ref":"[^#]/u);
      const judge = new Ajv2020({strict: false}).compile(alone);
      const validate = compiler.compileLater(whole);
      for (const given of values) expect([given, judge(given)]).toEqual([given, validate(given).length === 0]);
    }),
    {numRuns: 40},
  );
});
