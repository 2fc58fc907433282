// The facade for MCP clients: `tools=search` lists seven tools that find and call all others, under the same decisions.
import {openTokenStore, startHttpServer, type Host, type HttpServer} from '@lumenflow/host';
import {StreamableHTTPClientTransport, type Client} from '@modelcontextprotocol/client';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {createClient, eras, makeDesk, type Era} from '../../support/mcp-desk.ts';

const facade = ['check_program', 'get_tool_doc', 'run_chain', 'run_code', 'run_program', 'run_tool', 'search_tools'];
let desk: HostWorkspace;
let host: Host;
let server: HttpServer;
let token: string;
beforeAll(async () => {
  desk = makeDesk();
  const tokens = openTokenStore(desk.root);
  token = await tokens.issue({name: 'ann', role: 'agent'});
  host = await desk.start();
  server = await startHttpServer(host, {tokens, version: '0.0.0'});
});
afterAll(async () => {
  await server.close();
  await desk.remove();
});

async function connect(era: Era, tools: string): Promise<Client> {
  const client = createClient(era);
  const requestInit = {headers: {authorization: `Bearer ${token}`}};
  const url = new URL(`${server.url}/mcp?tools=${encodeURIComponent(tools)}`);
  await client.connect(new StreamableHTTPClientTransport(url, {requestInit}));
  return client;
}
const namesOf = async (client: Client) => (await client.listTools()).tools.map(({name}) => name);
const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({name, arguments: args})).structuredContent;

it.each([
  ['search', true, false],
  ['both', true, true],
  ['direct', false, true],
  ['search,desk:add', true, 'desk_add'],
] as const)('lists what `%s` says', async (tools, hasFacade, direct) => {
  const client = await connect('modern', tools);
  const names = await namesOf(client);
  const own = names.filter((name) => !facade.includes(name) && !name.startsWith('kernel_'));
  expect(names.filter((name) => facade.includes(name))).toEqual(hasFacade ? facade : []);
  if (typeof direct === 'string') expect(own).toEqual([direct]);
  else expect(own.length > 5).toBe(direct);
  await client.close();
});

describe.each(eras)('a client of the %s era', (era) => {
  it('finds a tool, reads about it, and runs it', async () => {
    const client = await connect(era, 'search');
    const found = await call(client, 'search_tools', {query: 'add numbers', limit: 3});
    expect(found).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({tool: 'desk_add'})]) as object,
    });
    expect(await call(client, 'get_tool_doc', {tool: 'desk_ad'})).toMatchObject({
      message: 'there is no tool `desk_ad`: did you mean `desk_add`?',
    });
    expect(await call(client, 'get_tool_doc', {tool: 'desk_add'})).toMatchObject({
      tool: 'desk_add',
      input_schema: {properties: {a: {}, b: {}}},
    });
    const run = await client.callTool({name: 'run_tool', arguments: {tool: 'desk_add', args: {a: 1, b: 2}}});
    expect(run).toMatchObject({structuredContent: {sum: 3}});
    const {receipts} = await host.runtime.evidence.readTraces({tool_name: 'desk:add', limit: 1});
    expect(receipts[0]?.started).toMatchObject({by: 'ann', surface: 'mcp'});
    await client.close();
  });

  it('checks and runs a program, and resumes one that waits', async () => {
    const client = await connect(era, 'search');
    const steps = [
      {call: 'desk_add', args: {a: 1, b: 2}, as: 'sum'},
      {wait_for_approval: 'Return ${sum.sum}?'},
      {return: '${sum.sum}'},
    ];
    const program = {name: 'adding', steps};
    const wrong = {name: 'wrong', steps: [{call: 'desk_ad'}]};
    expect(await call(client, 'check_program', {program: wrong})).toMatchObject({
      problems: [{pointer: '/steps/0/call'}],
    });
    expect(await call(client, 'check_program', {program})).toMatchObject({problems: [], calls: [{tool: 'desk_add'}]});
    expect(await call(client, 'run_program', {program: wrong})).toMatchObject({code: 'INVALID_INPUT'});
    expect(await call(client, 'run_program', {})).toMatchObject({
      code: 'INVALID_INPUT',
      message: '`run_program` requires either `program` or `run_id`',
    });
    const waiting = (await call(client, 'run_program', {program})) as {run_id: string; approvals: readonly string[]};
    expect(waiting).toMatchObject({state: 'waiting', calls: [{tool: 'desk_add', state: 'succeeded'}]});
    const [request_id = ''] = waiting.approvals;
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'bob'});
    expect(await call(client, 'run_program', {run_id: waiting.run_id})).toMatchObject({state: 'succeeded', value: 3});
    // So the run and the client's session share their taint.
    const run = await host.runtime.inspectTask(waiting.run_id);
    const from = run.success ? run.data.spec.program?.from_session : undefined;
    expect(host.runtime.listTasks().map(({run: claim}) => claim?.session_id)).toContain(from);
    expect(await call(client, 'run_program', {run_id: 'program-none'})).toMatchObject({code: 'TASK_NOT_FOUND'});
    await client.close();
  });

  it('is denied as by a call by name, and reads why', async () => {
    const client = await connect(era, 'search');
    expect(await call(client, 'run_tool', {tool: 'desk_argued', args: {a: 1}})).toMatchObject({
      code: 'POLICY_DENIED',
      rule_id: 'not-one',
    });
    expect(await call(client, 'run_tool', {tool: 'desk_ad', args: {}})).toMatchObject({
      code: 'TOOL_NOT_FOUND',
      message: 'there is no tool `desk_ad`: did you mean `desk_add`?',
    });
    expect(await call(client, 'get_tool_doc', {tool: 'desk_forbidden'})).toMatchObject({code: 'TOOL_NOT_FOUND'});
    expect(await call(client, 'search_tools', {limit: 0})).toMatchObject({code: 'INVALID_INPUT'});
    await client.close();
  });

  it('runs a chain, and reads which step failed and why', async () => {
    const client = await connect(era, 'search');
    const steps = [
      {tool: 'desk_add', args: {a: 1, b: 2}, as: 'first'},
      {tool: 'desk:add', args: {a: {$from: '/first/sum'}, b: 10}},
    ];
    expect(await call(client, 'run_chain', {steps})).toMatchObject({value: {sum: 13}});
    const failed = await client.callTool({
      name: 'run_chain',
      arguments: {steps: [{tool: 'desk_argued', args: {a: 1}}, ...steps]},
    });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: {error: {code: 'POLICY_DENIED', details: {step: 0}}, steps: [{status: 'failed'}, {}, {}]},
    });
    await client.close();
  });

  it('runs code, and reads its value, its calls and why it failed', async () => {
    const client = await connect(era, 'search');
    const code = `
      const {sum} = await tools.desk_add({a: 1, b: 2});
      console.log('added');
      return (await tools.desk.add({a: sum, b: 10})).sum;`;
    expect(await call(client, 'run_code', {language: 'javascript', code})).toMatchObject({
      value: 13,
      stdout: 'added\n',
      calls: [{tool: 'desk_add', status: 'succeeded'}, {tool: 'desk_add'}],
    });
    const failed = await client.callTool({
      name: 'run_code',
      arguments: {language: 'javascript', code, allow: ['desk_argued']},
    });
    expect(failed).toMatchObject({
      isError: true,
      structuredContent: {
        error: {code: 'TOOL_EXECUTION_FAILED', details: {cause: 'TOOL_NOT_ALLOWED'}},
        calls: [
          {tool: 'desk_add', error: {message: expect.stringContaining('`desk_add` is not in the list') as string}},
        ],
      },
    });
    const allowed = await call(client, 'run_code', {language: 'javascript', code, allow: ['desk_*']});
    expect(allowed).toMatchObject({value: 13});
    expect(await call(client, 'run_code', {language: 'javascript', code, allow: ['desk_a*']})).toMatchObject({
      code: 'INVALID_INPUT',
      message: '`desk_a*` in `allow` is not a tool, a namespace or `*`',
    });
    expect(await call(client, 'run_code', {language: 'cobol', code})).toMatchObject({code: 'INVALID_INPUT'});
    await client.close();
  });
});

it('keeps the facade from clients that did not ask for it', async () => {
  const client = await connect('modern', 'direct');
  await expect(client.callTool({name: 'run_tool', arguments: {tool: 'desk_add'}})).rejects.toThrow(
    'no tool `run_tool`',
  );
  await client.close();
});

it('has no dry run of a chain, nor of code', async () => {
  const client = await connect('modern', 'search');
  const chain = {steps: [{tool: 'desk_add', args: {a: 1, b: 2}}]};
  const request = client.callTool({name: 'run_chain', arguments: chain, _meta: {'lumenflow/dry_run': true}});
  await expect(request).rejects.toThrow('`run_chain` has no dry run');
  const code = {language: 'javascript', code: '1'};
  const run = client.callTool({name: 'run_code', arguments: code, _meta: {'lumenflow/dry_run': true}});
  await expect(run).rejects.toThrow('`run_code` has no dry run');
  await client.close();
});
