// Calls that need an approval, from MCP clients: the client asks in the conversation if policy allows it; otherwise it gets a
// link.
import type {Client, ElicitResult} from '@modelcontextprotocol/client';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {runForJson} from '../../support/lumenflow-program.ts';
import {connectDesk, createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

describe.each(eras)('an MCP client of the %s era', (era) => {
  let desk: HostWorkspace;
  let asking: Client;
  let plain: Client;
  const asked: string[] = [];
  let answer: ElicitResult;

  beforeAll(async () => {
    desk = makeDesk();
    asking = createClient(era, {capabilities: {elicitation: {}}});
    asking.setRequestHandler('elicitation/create', ({params}) => {
      asked.push(params.message);
      return answer;
    });
    plain = createClient(era);
    await connectDesk(desk.root, asking);
    await connectDesk(desk.root, plain);
  });
  afterAll(async () => {
    await asking.close();
    await plain.close();
    await desk.remove();
  });
  const call = (client: Client, name: string, args: Record<string, unknown>) =>
    client.callTool({name, arguments: args});

  it('asks its user, who sees the whole call, and continues', async () => {
    answer = {action: 'accept', content: {approve: true}};
    const result = await call(asking, 'desk_agree', {a: 20, b: 22, note: 'a\u202Eb'});
    expect(result.structuredContent).toEqual({sum: 42});
    expect(asked.at(-1)).toContain('"b": 22');
    expect(asked.at(-1)).toContain('agree-first');
    expect(asked.at(-1)).toContain('a\\u{202e}b');
    const {document} = await runForJson(['approvals', 'list', '--state', 'all'], {cwd: desk.root});
    expect(JSON.stringify(document)).toContain('"resolved_by":"ann"');
    expect(JSON.stringify(document)).toContain('"channel":"inband"');
  });

  it('does not let one consent pass two calls', async () => {
    const before = asked.length;
    await call(asking, 'desk_agree', {a: 20, b: 22, note: 'a\u202Eb'});
    expect(asked.length).toBe(before + 1);
  });

  it.each<[string, ElicitResult]>([
    ['declines', {action: 'decline'}],
    ['says no', {action: 'accept', content: {approve: false, reason: 'not today'}}],
  ])('takes a no when the person %s', async (how, no) => {
    answer = no;
    const result = await call(asking, 'desk_agree', {a: 1, how});
    expect(result.structuredContent).toMatchObject({
      code: 'POLICY_DENIED',
      message: expect.stringContaining('the user rejected'),
      remedy: expect.stringContaining('ask the user'),
    });
    if (how === 'says no') expect(JSON.stringify(result.structuredContent)).toContain('not today');
  });

  it('leaves the request open when the question is put away', async () => {
    answer = {action: 'cancel'};
    const before = asked.length;
    const result = await call(asking, 'desk_agree', {a: 2});
    expect(result.structuredContent).toMatchObject({code: 'APPROVAL_REQUIRED'});
    expect(asked.length).toBe(before + 1);
  });

  it('is not asked where its consent would not count, nor about what cannot be shown whole', async () => {
    answer = {action: 'accept', content: {approve: true}};
    const before = asked.length;
    expect((await call(asking, 'desk_ask', {a: 3})).structuredContent).toMatchObject({code: 'APPROVAL_REQUIRED'});
    const long = await call(asking, 'desk_agree', {text: 'x'.repeat(5_000)});
    expect(long.structuredContent).toMatchObject({code: 'APPROVAL_REQUIRED'});
    expect(asked.length).toBe(before);
  });

  it('is directed to the approval when it cannot ask, and continues once somebody else has approved', async () => {
    const pending = await call(plain, 'desk_ask', {a: 4, b: 4});
    expect(pending.isError).toBe(true);
    const {details, remedy} = pending.structuredContent as {details: {request_id: string}; remedy: string};
    const uri = `approval://${details.request_id}`;
    expect(remedy).toContain(uri);
    expect(pending.content).toContainEqual(expect.objectContaining({type: 'resource_link', uri}));
    expect(await read(plain, uri)).toMatchObject({state: 'pending'});
    await runForJson(['approvals', 'approve', details.request_id, '--as', 'olga'], {cwd: desk.root});
    expect(await read(plain, uri)).toMatchObject({state: 'approved', resolved_by: 'olga'});
    expect(await read(plain, 'approvals://session')).toMatchObject({
      approvals: expect.arrayContaining([expect.objectContaining({request_id: details.request_id})]),
    });
    expect((await call(plain, 'desk_ask', {a: 4, b: 4})).structuredContent).toEqual({sum: 8});
  });
});

describe('a client that reconnects', () => {
  let desk: HostWorkspace;
  beforeAll(() => {
    desk = makeDesk();
  });
  afterAll(async () => await desk.remove());
  const connect = async (...args: string[]): Promise<Client> => {
    const client = createClient('legacy');
    await connectDesk(desk.root, client, ['--as', 'ann', ...args]);
    return client;
  };
  const ask = async (client: Client) =>
    (await client.callTool({name: 'desk_ask', arguments: {a: 1, b: 0}})).structuredContent;

  it('under the same name and in the same lane finds its request, and the answer to it', async () => {
    const first = await connect();
    const asked = (await ask(first)) as {details: {request_id: string}};
    await first.close();
    const {document} = await runForJson(['approvals', 'list'], {cwd: desk.root});
    expect(document).toMatchObject({approvals: [{request_id: asked.details.request_id, state: 'pending'}]});
    const elsewhere = await connect('--lane', 'other');
    expect(await ask(elsewhere)).not.toMatchObject({details: {request_id: asked.details.request_id}});
    await elsewhere.close();
    await runForJson(['approvals', 'approve', asked.details.request_id, '--as', 'olga'], {cwd: desk.root});
    const second = await connect();
    expect(await ask(second)).toEqual({sum: 1});
    await second.close();
    const tasks = await runForJson(['task', 'list', '--state', 'active'], {cwd: desk.root});
    // That of the other lane still waits.
    expect(tasks.document).toMatchObject({tasks: [{lane_id: 'other'}]});
  });
});

describe('the state of a question', () => {
  let desk: HostWorkspace;
  let client: Client;
  beforeAll(async () => {
    desk = makeDesk();
    client = createClient('modern', {capabilities: {elicitation: {}}, inputRequired: {autoFulfill: false}});
    await connectDesk(desk.root, client);
  });
  afterAll(async () => {
    await client.close();
    await desk.remove();
  });
  const yes = {consent: {action: 'accept' as const, content: {approve: true}}};
  const ask = async (a: number): Promise<string> => {
    const result = await client.callTool({name: 'desk_agree', arguments: {a}}, {allowInputRequired: true});
    return (result as {requestState?: string}).requestState ?? 'none';
  };
  const answer = (a: number, requestState: string, inputResponses: object) =>
    client.callTool({name: 'desk_agree', arguments: {a}, requestState, inputResponses} as never, {
      allowInputRequired: true,
    });

  it('is good for one answer', async () => {
    const state = await ask(1);
    expect(await answer(1, state, yes)).toMatchObject({structuredContent: {sum: 1}});
    await expect(answer(1, state, yes)).rejects.toThrow('no longer open');
  });

  it('is not to be changed', async () => {
    const state = await ask(2);
    const [version = '', body = '', seal = ''] = state.split('.');
    const other = Buffer.from(Buffer.from(body, 'base64url').toString().replace('apr', 'apx')).toString('base64url');
    await expect(answer(2, `${version}.${other}.${seal}`, yes)).rejects.toThrow('requestState');
    await expect(answer(2, 'nonsense', yes)).rejects.toThrow('requestState');
  });

  it('approves no other call than the one that was shown', async () => {
    const state = await ask(3);
    const other = await answer(4, state, yes);
    expect(other).not.toMatchObject({structuredContent: {sum: 4}});
  });
});

async function read(client: Client, uri: string): Promise<unknown> {
  const [content] = (await client.readResource({uri})).contents;
  return JSON.parse(content && 'text' in content ? content.text : 'null');
}
