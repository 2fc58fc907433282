// The schemas of tools as their readers get them, over MCP, HTTP and the command line: whole, with the files of a pack
// that they refer to within.
import {openTokenStore, startHttpServer, type HttpServer} from '@lumenflow/host';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {Ajv2020} from 'ajv/dist/2020.js';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {runProgram} from '../../support/lumenflow-program.ts';
import {createClient} from '../../support/mcp-desk.ts';

let workspace: HostWorkspace;
let server: HttpServer;
let token: string;
beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime', 'software-delivery'],
    spec: {
      agent_runtime: {
        tools: 'all',
        default_model: 'demo',
        models: {demo: {provider: 'scripted', model: 'demo', script: 'agent.json'}},
      },
    },
  });
  const host = await workspace.start();
  const tokens = openTokenStore(workspace.root);
  token = await tokens.issue({name: 'olga', role: 'operator'});
  server = await startHttpServer(host, {tokens, version: '0.0.0'});
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

const elsewhere = /"\$ref":"[^#]|"\$id"/u;
const ajv = new Ajv2020({strict: false, validateFormats: false});

test('no reference of a tool leads out of it, over MCP nor over HTTP', async () => {
  const headers = {authorization: `Bearer ${token}`};
  const client = createClient('modern', {});
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {requestInit: {headers}}));
  const {tools} = await client.listTools();
  await client.close();
  expect(tools.map(({name}) => name)).toContain('agent-session_start');
  expect(JSON.stringify(tools)).not.toMatch(elsewhere);
  const answer = await fetch(`${server.url}/v1/tools`, {headers});
  const listed = ((await answer.json()) as {tools: {name: string; input_schema?: object; output_schema?: object}[]})
    .tools;
  expect(listed.map(({name}) => name)).toContain('agent-session:start');
  expect(JSON.stringify(listed)).not.toMatch(elsewhere);
  for (const {input_schema = {}, output_schema = {}} of listed) {
    for (const schema of [input_schema, output_schema]) expect(ajv.validateSchema(schema)).toBe(true);
  }
});

test('the command line shows and accepts the properties of a schema file in the pack', async () => {
  const run = async (...args: readonly string[]) => await runProgram(args, {cwd: workspace.root});
  const {stdout} = await run('tools', 'show', 'agent-session:start', '--json');
  expect(stdout).not.toMatch(elsewhere);
  expect(JSON.parse(stdout)).toMatchObject({
    tool: {input_schema: {properties: {task: {$ref: '#/$defs/text'}}, $defs: {text: {type: 'string'}}}},
  });
  expect((await run('tools', 'show', 'agent-session:start')).stdout).toMatch(/^task \* +string/mu);
  expect((await run('agent-session', 'start', '--help')).stdout).toMatch(/--limits\.max-turns-per-session +<?integer/u);
  const flags = '--session-id s --task t --limits.max-turns-per-session few';
  const refused = await run('agent-session', 'start', ...flags.split(' '));
  expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('takes a whole number')});
});

test('help of a tool whose schema names a missing file shows the rest', async () => {
  const tool = {name: 'p:tool', description: 'Does it', handler_entry: 'tool.mjs#tool', permission: 'read'};
  const broken = {...tool, input_schema: {properties: {name: {type: 'string'}, more: {$ref: 'gone.json'}}}};
  const manifest = {id: 'p', version: '1.0.0', manifest_version: 1, task_types: ['work'], tools: [broken]};
  const pin = {id: 'p', version: '1.0.0', integrity: 'dev', source: 'local', path: 'p'} as const;
  const lame = makeHostWorkspace({files: {'p/manifest.yaml': JSON.stringify(manifest)}, spec: {packs: [pin]}});
  const {code, stdout} = await runProgram(['p', 'tool', '--help'], {cwd: lame.root});
  await lame.remove();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/--name[^]*--more/u)]);
});
