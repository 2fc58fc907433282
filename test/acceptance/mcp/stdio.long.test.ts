// `lumenflow mcp` as the official client uses it, in both eras of the protocol.
import {spawn} from 'node:child_process';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it, vi} from 'vitest';
import type {Client} from '@modelcontextprotocol/client';
import {runForJson} from '../../support/lumenflow-program.ts';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {connectDesk, createClient, eras, makeDesk, type DeskClient} from '../../support/mcp-desk.ts';

type Said = Readonly<Record<string, unknown>>;

describe.each(eras)('an MCP client of the %s era', (era) => {
  let desk: HostWorkspace;
  let connected: DeskClient;
  let client: Client;

  beforeAll(async () => {
    desk = makeDesk();
    connected = await connectDesk(desk.root, createClient(era));
    ({client} = connected);
  });
  afterAll(async () => {
    await client.close();
    await desk.remove();
  });
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({name, arguments: args});
  const read = async (uri: string): Promise<Said> => {
    const {contents} = await client.readResource({uri});
    const [content] = contents;
    return JSON.parse(content && 'text' in content ? content.text : 'null') as Said;
  };

  it('lists the tools that policy allows, in order, with hints from what is granted', async () => {
    const {tools} = await client.listTools();
    expect(tools.map(({name}) => name)).toEqual([
      'desk_add',
      'desk_agree',
      'desk_argued',
      'desk_ask',
      'desk_chat',
      'desk_large',
      'desk_misshapen',
      'desk_name_it',
      'desk_note',
      'desk_other_name',
      'desk_wait',
      'kernel_revert_changes',
      'kernel_show_request',
      'kernel_withdraw_request',
    ]);
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(hints('desk_add')).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(hints('desk_note')).toMatchObject({readOnlyHint: false, destructiveHint: true, idempotentHint: true});
    expect(hints('desk_ask')).toMatchObject({readOnlyHint: false, idempotentHint: false});
  });

  it('calls one, and gets text and structure that fit the schema', async () => {
    const result = await call('desk_add', {a: 2, b: 3});
    expect(result.structuredContent).toEqual({sum: 5});
    expect(result.content).toEqual([{type: 'text', text: '{"sum":5}'}]);
  });

  it('learns why a call is denied, where the rule is and what would change it', async () => {
    const result = await call('desk_argued', {a: 1});
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      code: 'POLICY_DENIED',
      rule_id: 'not-one',
      layer: 'pack',
      where: expect.stringMatching(/manifest\.yaml:\d+:\d+$/),
      remedy: expect.stringMatching(/^ask the operator to .*not-one/),
      receipt_id: expect.stringMatching(/./),
    });
    const {receipt_id} = result.structuredContent as {receipt_id: string};
    expect(await read(`evidence://receipt/${receipt_id}`)).toMatchObject({started: {tool_name: 'desk:argued'}});
  });

  it('also gets the reason if the tool has an output schema, for hidden tools and for scopes', async () => {
    expect((await call('desk_forbidden')).structuredContent).toMatchObject({code: 'POLICY_DENIED', rule_id: 'never'});
    const refused = await call('desk_note', {path: 'elsewhere.md'});
    expect(refused.structuredContent).toMatchObject({
      code: 'SCOPE_DENIED',
      remedy: expect.stringMatching(/^ask the operator to add /),
    });
    expect(existsSync(join(desk.root, 'elsewhere.md'))).toBe(false);
  });

  it('has the input validated against its schema, and unknown names refused as its own mistake', async () => {
    expect((await call('desk_add', {a: 'x'})).structuredContent).toMatchObject({code: 'INVALID_INPUT'});
    await expect(call('desk_none')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/no tool `desk_none`: did you mean `desk_\w+`\?$/),
    });
  });

  it('receives the progress of its own request, and nothing that a handler prints', async () => {
    const received: unknown[] = [];
    await client.callTool({name: 'desk_chat', arguments: {}}, {onprogress: (progress) => void received.push(progress)});
    expect(received).toEqual([
      {progress: 25, total: 100},
      {progress: 75, total: 100, message: 'nearly'},
    ]);
    expect(connected.stderr()).not.toContain('printed by a handler');
  });

  it('cancels a call, which reaches the handler and the record', async () => {
    const cancelling = new AbortController();
    const waiting = client.callTool({name: 'desk_wait', arguments: {}}, {signal: cancelling.signal});
    await vi.waitFor(() => expect(existsSync(join(desk.root, 'notes/waits'))).toBe(true), {timeout: 60_000});
    cancelling.abort('enough');
    await expect(waiting).rejects.toThrow();
    await vi.waitFor(
      async () => {
        const {document} = await runForJson(['evidence', 'list', '--tool', 'desk:wait'], {cwd: desk.root});
        expect(JSON.stringify(document)).toContain('TOOL_CANCELLED');
      },
      {timeout: 60_000, interval: 500},
    );
  });

  it('reads its task and the policy of a lane, and nothing that is not there or not its own', async () => {
    const {resources} = await client.listResources();
    const task = resources.find(({name}) => name === 'your task')?.uri ?? '';
    expect(await read(task)).toMatchObject({state: 'active', run: {by: 'ann'}});
    const policy = await read('policy://effective/core');
    expect(policy['tools']).toContainEqual(
      expect.objectContaining({tool_name: 'desk_ask', decision: 'approval_required'}),
    );
    const input = encodeURIComponent('{"name": "x"}');
    expect(await read(`policy://explain/desk_ask?input=${input}`)).toMatchObject({
      tool_name: 'desk_ask',
      decision: 'approval_required',
      paths: [],
    });
    const {resourceTemplates} = await client.listResourceTemplates();
    expect(resourceTemplates.map(({uriTemplate}) => uriTemplate)).toContain('evidence://receipt/{id}');
    const other = await runForJson(['task', 'create', `of-ben-${era}`], {cwd: desk.root});
    expect(other.code).toBe(0);
    await runForJson(['task', 'claim', `of-ben-${era}`, '--as', 'ben'], {cwd: desk.root});
    for (const uri of [
      `task://of-ben-${era}`,
      'evidence://receipt/none',
      'policy://effective/none',
      'policy://explain/desk:ask?input=%7B',
      'x://y',
      'task://%',
    ]) {
      await expect(client.readResource({uri})).rejects.toThrow();
    }
  });

  it('has ids completed', async () => {
    const complete = async (uri: string, value: string) =>
      (await client.complete({ref: {type: 'ref/resource', uri}, argument: {name: 'id', value}})).completion.values;
    expect(await complete('policy://effective/{lane}', 'o')).toEqual(['other']);
    expect(await complete('task://{id}', 'cli-')).not.toEqual([]);
    expect(await complete('task://{id}', 'of-')).toEqual([]);
    expect((await complete('evidence://receipt/{id}', '')).length).toBeGreaterThan(3);
    expect(await complete('nothing://{id}', '')).toEqual([]);
  });

  it('refuses a cursor that it did not give', async () => {
    await expect(client.listTools({cursor: 'x'})).rejects.toThrow('cursor');
  });
});

describe('the program', () => {
  it('ends its task with its client, and leaves evidence that verifies', async () => {
    const desk = makeDesk();
    const {client} = await connectDesk(desk.root, createClient('legacy'));
    await client.callTool({name: 'desk_add', arguments: {}});
    await client.close();
    const {document} = await runForJson(['task', 'list', '--state', 'done'], {cwd: desk.root});
    expect(document['tasks']).toMatchObject([{state: 'done'}]);
    expect((await runForJson(['evidence', 'verify'], {cwd: desk.root})).code).toBe(0);
    await desk.remove();
  });

  it('ends its task when the terminal closes', async () => {
    const desk = makeDesk();
    const {client, transport} = await connectDesk(desk.root, createClient('legacy'));
    await client.callTool({name: 'desk_add', arguments: {}});
    process.kill(transport.pid ?? 0, 'SIGHUP');
    await vi.waitFor(
      async () => {
        const {document} = await runForJson(['task', 'list', '--state', 'done'], {cwd: desk.root});
        expect(document['tasks']).toMatchObject([{state: 'done'}]);
      },
      {timeout: 60_000, interval: 500},
    );
    await client.close();
    await desk.remove();
  });

  it('writes only messages of the protocol to stdout, whatever it receives', async () => {
    const desk = makeDesk();
    const program = join(import.meta.dirname, '../../../host/dist/main.js');
    const child = spawn(process.execPath, [program, 'mcp'], {cwd: desk.root, stdio: ['pipe', 'pipe', 'pipe']});
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'raw', version: '1'}},
    };
    const chat = {jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'desk_chat', arguments: {}}};
    const malformed = JSON.stringify({...chat, id: 3, params: 'text'});
    child.stdin.write(`${JSON.stringify(initialize)}\nno json\n${malformed}\n${JSON.stringify(chat)}\n`);
    await vi.waitFor(() => expect(out).toContain('"id":2'), {timeout: 60_000});
    child.stdin.end();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    for (const line of out.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({jsonrpc: '2.0'});
    // A mistake of the client is not a defect of the server.
    expect(said).toContain('a message of the client is not valid JSON-RPC');
    expect(said).not.toContain('INTERNAL');
    await desk.remove();
  });

  it('says on stderr why it cannot begin', async () => {
    const desk = makeDesk();
    const {client, stderr} = await connectDesk(desk.root, createClient('legacy'), ['--lane', 'none']);
    await vi.waitFor(() => expect(stderr()).toContain('LANE_NOT_FOUND'), {timeout: 60_000});
    await client.close();
    await desk.remove();
  });
});

describe('a pack that is being written', () => {
  it.each(eras)('notifies a client of the %s era that the tools changed', async (era) => {
    const desk = makeDesk();
    const client = createClient(era, {
      listChanged: {
        tools: {autoRefresh: true, debounceMs: 0, onChanged: (_error, tools) => void (listed = tools ?? [])},
      },
    });
    let listed: readonly {readonly description?: string | undefined}[] = [];
    await connectDesk(desk.root, client, ['--watch']);
    // The handshake does not wait until the workspace is loaded.
    await client.listTools();
    const manifest = join(desk.root, 'packs/desk/manifest.yaml');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('Adds two numbers', 'Adds them up'));
    await vi.waitFor(() => expect(listed.map(({description}) => description)).toContain('Adds them up'), {
      timeout: 60_000,
    });
    await client.close();
    await desk.remove();
  });
});
