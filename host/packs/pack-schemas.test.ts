// A pack's JSON Schemas, and its config, which one of them describes.
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {greeterWorkspaceForEachTest} from './fixtures/greeter-workspace.ts';
import {greeterManifest, greeterPin} from './fixtures/pack-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

const manifestFile = 'packs/greeter/manifest.yaml';

describe('schemas', () => {
  test('any invalid schema is reported at its position', async () => {
    const tool = `    input_schema:\n      properties:\n        name: {type: strng}\n    output_schema: {$ref: schemas/gone.json}\n`;
    for (const _ of ['fresh', 'from the cache']) {
      expect(await greeter.problemsOf({[manifestFile]: greeterManifest('', tool)})).toEqual([
        `PACK_SCHEMA_INVALID ${manifestFile}:12:22 the JSON Schema cannot be used: \`type\` is \`strng\`, which is not one of \`array\`, \`boolean\`, \`integer\`, \`null\`, \`number\`, \`object\`, \`string\``,
        `PACK_SCHEMA_INVALID ${manifestFile}:13:20 the JSON Schema cannot be used: \`schemas/gone.json\` is not a file of the pack`,
      ]);
    }
  });

  test('a schema can refer to other files of the pack, which can refer to each other', async () => {
    await greeter.workspace.write({
      [manifestFile]: greeterManifest(
        '',
        `    input_schema: {$ref: './schemas/person.json'}\n    output_schema: {type: object, properties: {tree: {$ref: 'schemas/tree.json#/$defs/node'}}}\n`,
      ),
      'packs/greeter/schemas/person.json':
        '{"type": "object", "properties": {"home": {"$ref": "address.json"}}, "required": ["home"]}',
      'packs/greeter/schemas/address.json':
        '{"type": "object", "properties": {"zip": {"$ref": "#/$defs/zip"}, "of": {"$ref": "person.json"}}, "$defs": {"zip": {"type": "string"}}}',
      'packs/greeter/schemas/tree.json': '{"$defs": {"node": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}',
    });
    for (const _ of ['fresh', 'from the cache']) {
      const [tool] = (await greeter.workspace.loadOne()).tools;
      expect(tool?.validateInput({home: {zip: '1', of: {home: {}}}})).toEqual([]);
      expect(tool?.validateInput({home: {zip: 1}})).toMatchObject([{pointer: '/home/zip'}]);
      expect(tool?.validateOutput({tree: [[], [[]]]})).toEqual([]);
      expect(tool?.validateOutput({tree: [[1]]})).toMatchObject([{pointer: '/tree/0/0'}]);
    }
  });

  test.each([
    ['../../x.json', '`../../x.json` leads out of the pack'],
    ['schemas/list.json', '`schemas/list.json` does not contain a JSON Schema object'],
    ['schemas/torn.json', "`schemas/torn.json` is not JSON: Expected property name or '}' in JSON at position 1"],
    ['https://e.example/x.json', "can't resolve reference https://e.example/x.json from id #"],
  ])('a reference to %s is refused', async (reference, message) => {
    const problems = await greeter.problemsOf({
      [manifestFile]: greeterManifest('', `    input_schema: {$ref: '${reference}'}\n`),
      'packs/greeter/schemas/list.json': '[]',
      'packs/greeter/schemas/torn.json': '{',
    });
    expect(problems).toEqual([expect.stringContaining(message)]);
  });
});

describe('config', () => {
  const withSchema = {
    [manifestFile]: greeterManifest('config_key: greeting\nconfig_schema: config.schema.json\n'),
    'packs/greeter/config.schema.json':
      '{"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"], "additionalProperties": false}',
  };

  test('a mistake in it is reported at its position in workspace.yaml', async () => {
    expect(await greeter.problemsOf(withSchema, {configs: {greeting: {word: 5, loud: true}}})).toEqual([
      'PACK_CONFIG_INVALID workspace.yaml#/greeting/loud unknown key `loud` (allowed here: word)',
      'PACK_CONFIG_INVALID workspace.yaml#/greeting/word `word` must be a string but is a number (quote it: "5")',
    ]);
  });

  test('a cached validation applies to one config only: a changed config is validated again', async () => {
    await greeter.workspace.write({
      ...withSchema,
      'packs/greeter/config.schema.json': '{"properties": {"limit": {"maximum": 9}}}',
    });
    const codesOf = async (limit: unknown): Promise<readonly string[]> =>
      (await greeter.workspace.load([greeterPin()], {greeting: {limit}})).problems.map(({code}) => code);
    for (const limit of [null, null, 8]) expect(await codesOf(limit)).toEqual([]);
    // In JSON it would be the first.
    for (const limit of [Number.POSITIVE_INFINITY, 10, 10])
      expect(await codesOf(limit)).toEqual(['PACK_CONFIG_INVALID']);
    await greeter.workspace.write({
      'packs/greeter/config.schema.json': '{"properties": {"limit": {"type": "number"}}}',
    });
    expect(await codesOf(null)).toEqual(['PACK_CONFIG_INVALID']);
  });

  test('a missing config is reported at the pin', async () => {
    expect(await greeter.problemsOf(withSchema)).toEqual([
      'PACK_CONFIG_MISSING workspace.yaml#/packs/0 the pack `greeter` needs a config: `word` is missing',
    ]);
  });

  test('an unusable schema is reported where it is named', async () => {
    expect(await greeter.problemsOf({...withSchema, 'packs/greeter/config.schema.json': '{"type": 5}'})).toEqual([
      expect.stringMatching(/^PACK_SCHEMA_INVALID packs\/greeter\/config.schema.json the JSON Schema cannot be used/),
    ]);
    expect(
      await greeter.problemsOf({[manifestFile]: greeterManifest('config_key: greeting\nconfig_schema: ../x.json\n')}),
    ).toEqual([
      `PACK_SCHEMA_INVALID ${manifestFile}:11:16 the config_schema cannot be used: \`../x.json\` leads out of the pack`,
    ]);
  });

  test('a root key that no pack owns is rejected, with the nearest name', async () => {
    const {problems} = await greeter.workspace.load([greeterPin()], {lane: []});
    expect(problems).toMatchObject([
      {code: 'WORKSPACE_INVALID', where: 'workspace.yaml#/lane', help: 'did you mean `lanes`?'},
    ]);
  });

  test('but not while a manifest could not be read', async () => {
    await writeFile(join(greeter.workspace.root, manifestFile), 'id: [');
    const {problems} = await greeter.workspace.load([greeterPin()], {greeting: {}});
    expect(problems.map(({code}) => code)).toEqual(['YAML_SYNTAX']);
  });
});
