import type {PackPin} from '@lumenflow/schemas';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {describeUpstream, type DescribedUpstream} from './describe-upstream.ts';
import {runtimePathsOf} from './runtime-paths.ts';
import type {ToolDefinition} from './tool-definition.ts';

const pin: PackPin = {id: 'scales', version: '1.0.0', integrity: 'dev', source: 'mcp', command: ['scales']};
const tool = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: 'Weighs',
  inputSchema: {type: 'object'},
  ...more,
});
const described = (
  tools: readonly ToolDefinition[],
  pinned: NonNullable<PackPin['tools']>,
  version = '1.0.0',
): DescribedUpstream => {
  const found = describeUpstream({...pin, tools: pinned}, {server: {name: 'scales', version}, tools});
  if (!found.ok) throw new Error(found.problem.message);
  return found.value;
};

describe('a server as a pack', () => {
  it("has the tools that the pin names, with the pin's permissions", () => {
    const scopes = [{type: 'path' as const, pattern: 'a/**', access: 'read' as const}];
    const {manifest} = described([tool('a_b'), tool('c')], {a_b: {permission: 'admin', required_scopes: scopes}});
    expect(manifest.tools).toMatchObject([{name: 'scales:a-b', permission: 'admin', required_scopes: scopes}]);
    expect(manifest.description).toContain('1 more are not named in the pin');
  });

  it('has its prompts and resources as tools, if the pin says what they may do', () => {
    const listing = {
      server: {name: 'scales', version: '1.0.0'},
      tools: [tool('prompt'), tool('weigh')],
      prompts: [
        {name: 'prompt', description: '', arguments: [{name: 'thing', description: 'What', required: true}]},
        {name: '2 many', description: '', arguments: []},
      ],
      resources: [{uri: 'scales://{id}', name: 'A scale', description: '', mime_type: 'text/plain'}],
      omitted: 9,
    };
    const tools = {prompt: {permission: 'read' as const}};
    const scopes = [{type: 'path' as const, pattern: 'a/**', access: 'read' as const}];
    const offers = {
      prompts: {permission: 'admin' as const},
      resources: {permission: 'read' as const, required_scopes: scopes},
    };
    const found = describeUpstream({...pin, tools, ...offers}, listing);
    expect(found).toMatchObject({
      ok: true,
      value: {
        manifest: {
          description: expect.stringContaining('; 9 prompts and resources are omitted'),
          tools: [
            {name: 'scales:prompt', handler_entry: 'tools.js#tool0'},
            {
              name: 'scales:prompt----prompt',
              handler_entry: 'tools.js#tool1',
              permission: 'admin',
              mcp: {kind: 'prompt'},
              input_schema: {properties: {thing: {type: 'string', description: 'What'}}, required: ['thing']},
            },
            {
              name: 'scales:resource----read',
              permission: 'read',
              required_scopes: scopes,
              mcp: {uri: 'upstream://scales/{+uri}', lists: [{uri: 'scales://{id}', name: 'A scale'}]},
            },
          ],
        },
      },
    });
    const without = describeUpstream({...pin, tools}, listing);
    expect(without).toMatchObject({ok: true, value: {manifest: {tools: [{name: 'scales:prompt'}]}}});
    expect(describeUpstream({...pin, tools, ...offers}, {server: listing.server, tools: listing.tools})).toMatchObject({
      problem: {message: expect.stringContaining('has no prompts'), help: expect.stringContaining('--update')},
    });
  });

  it('has no tool whose name is one that objects inherit, unless the pin names it', () => {
    const tools = ['constructor', 'toString', 'hasOwnProperty', 'count'].map((name) => tool(name));
    expect(described(tools, {count: {permission: 'read'}}).definitions.map(({name}) => name)).toEqual(['count']);
    const {manifest} = described(tools, {constructor: {permission: 'admin'}} as never);
    expect(manifest.tools).toMatchObject([{name: 'scales:constructor', permission: 'admin'}]);
  });

  it.each([
    ['1.2.3', '1.2.3'],
    ['v2', '2.0.0'],
    ['tip', '0.0.0'],
  ])('calls its version `%s` `%s`', (said, version) => {
    expect(described([], {}, said).manifest.version).toBe(version);
  });

  it('accepts schemas of older dialects that contain references', () => {
    const inputSchema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $ref: '#/definitions/a',
      definitions: {a: {}},
    };
    const {manifest} = described([tool('a', {inputSchema, outputSchema: {type: 'object'}})], {a: {permission: 'read'}});
    expect(manifest.tools[0]?.input_schema).toEqual({
      $id: 'urn:lumenflow:scales:a:input',
      $ref: '#/definitions/a',
      definitions: {a: {}},
    });
    expect(manifest.tools[0]?.output_schema).toMatchObject({required: ['structuredContent']});
  });

  it('describes each tool, and cuts long descriptions between characters', () => {
    const {manifest} = described([tool('a', {description: ''}), tool('b', {description: `${'x'.repeat(1_999)}😀`})], {
      a: {permission: 'read'},
      b: {permission: 'read'},
    });
    expect(manifest.tools.map(({description}) => description)).toEqual(['a', 'x'.repeat(1_999)]);
  });

  it.each([
    ['ab', 'has no tool `ab`'],
    ['Upper', 'cannot be named'],
  ])('cannot be had with the tool `%s`', (name, said) => {
    const found = describeUpstream(
      {...pin, tools: {[name]: {permission: 'read'}}},
      {server: {name: 'scales', version: '1'}, tools: [tool('a'), tool('Upper')]},
    );
    expect(found).toMatchObject({problem: {message: expect.stringContaining(said)}});
  });
});

describe('a server at a URL', () => {
  it('reaches its host and port alone, and gets the variables of its headers', () => {
    const found = describeUpstream(
      {
        ...pin,
        url: 'https://mcp.example/mcp',
        headers: {Authorization: 'Bearer ${TOKEN}', 'X-Team': '${TEAM}-${TOKEN}'},
        tools: {a: {permission: 'read', required_env: ['TEAM']}},
      },
      {server: {name: 'scales', version: '1.0.0'}, tools: [tool('a')]},
    );
    expect(found).toMatchObject({
      value: {
        manifest: {
          tools: [
            {
              required_scopes: [{type: 'network', posture: 'allowlist', allowlist_entries: ['mcp.example:443']}],
              required_env: ['TEAM', 'TOKEN'],
            },
          ],
        },
      },
    });
  });
});

describe('a server that lasts', () => {
  const schema = {type: 'object', properties: {thing: {type: 'string'}}, additionalProperties: false};
  const toolOf = (lifetime: NonNullable<PackPin['lifetime']>) => {
    const found = describeUpstream(
      {...pin, lifetime, tools: {a: {permission: 'read'}}},
      {server: {name: 'scales', version: '1.0.0'}, tools: [tool('a', {inputSchema: schema, outputSchema: schema})]},
    );
    return found.ok ? found.value.manifest.tools[0] : undefined;
  };

  it('can ask: its tools accept answers, and return questions in place of their structure', () => {
    expect(toolOf('call')?.input_schema).toEqual(schema);
    expect(toolOf('session')?.input_schema).toMatchObject({
      properties: {thing: {}, input_responses: {type: 'object'}, request_state: {type: 'string'}},
    });
    expect(toolOf('call')?.output_schema).toMatchObject({required: ['structuredContent']});
    expect(toolOf('session')?.output_schema).toMatchObject({anyOf: [{required: ['structuredContent']}, {}]});
  });
});

describe('the program of a server', () => {
  it('is at the path in the pin; without a path there is none', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'lf-upstream-')));
    expect(await runtimePathsOf({...pin, path: '.'}, root)).toEqual({ok: true, value: [root]});
    expect(await runtimePathsOf(pin, root)).toEqual({ok: true, value: []});
    expect(await runtimePathsOf({...pin, path: 'none'}, root)).toMatchObject({
      problem: {message: expect.stringContaining('cannot read `none` (ENOENT)')},
    });
    rmSync(root, {recursive: true});
  });
});
