// Several receivers of notifications, of which some do not behave.
import {startNotifier, type Notifier} from '@lumenflow/host';
import type {KernelEvent, NotificationReceiver} from '@lumenflow/schemas';
import {createServer, type RequestListener, type Server} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../support/stage.ts';
import {stateKinds} from '../../support/state-home.ts';

let stage: Stage;
let servers: Server[];
let notifiers: Notifier[];
beforeEach(() => {
  const [kind] = stateKinds;
  if (!kind) throw new Error('there is no kind of state');
  stage = createStage(kind);
  servers = [];
  notifiers = [];
});
afterEach(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(notifiers.map((notifier) => notifier.close()));
  await stage.close();
  for (const server of servers) server.close();
});

async function receiver(id: string, listener: RequestListener): Promise<NotificationReceiver> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return {id, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, also: []};
}

const answers =
  (status: number): RequestListener =>
  (request, response) => {
    request.resume().once('end', () => response.writeHead(status).end());
  };

async function open(...notify: [NotificationReceiver, ...NotificationReceiver[]]): Promise<StagedRuntime> {
  const rule = {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required'} as const;
  const policies = {default_decision: 'allow', rules: [{...rule, when: {tool: 'files:write'}}]} as const;
  return await stage.open({workspace: {policies: {...policies, rules: [...policies.rules]}, approvals: {notify}}});
}

function notify(runtime: StagedRuntime): Notifier {
  const notifier = startNotifier(runtime, {env: {}, intervalMs: 20, onError: () => undefined});
  notifiers.push(notifier);
  return notifier;
}

async function ask(runtime: StagedRuntime, id = 'task-1'): Promise<string> {
  const context = await runtime.startTask(id, {session_id: id});
  const called = await runtime.executeTool('files:write', {path: 'a'}, context);
  return String(called.error?.details?.['request_id']);
}

type Ended = Extract<KernelEvent, {type: 'notification_ended'}>;

async function ended(runtime: StagedRuntime, id: string, count: number): Promise<readonly Ended[]> {
  return await vi.waitFor(
    async () => {
      const found = (await endedSoFar(runtime)).filter(({receiver: of}) => of === id);
      expect(found).toHaveLength(count);
      return found;
    },
    {timeout: 60_000},
  );
}

async function endedSoFar(runtime: StagedRuntime): Promise<readonly Ended[]> {
  return (await runtime.events.read({})).filter((event): event is Ended => event.type === 'notification_ended');
}

test('a receiver that does not answer delays no other', async () => {
  const runtime = await open(await receiver('silent', () => undefined), await receiver('team', answers(204)));
  notify(runtime);
  for (let count = 1; count <= 12; count += 1) {
    await ask(runtime, `task-${count}`);
    if (count % 4 === 0) await ended(runtime, 'team', count);
  }
  expect((await endedSoFar(runtime)).map(({receiver: of}) => of)).not.toContain('silent');
  for (const server of servers) server.closeAllConnections();
  const [first] = await vi.waitFor(async () => {
    const found = (await endedSoFar(runtime)).filter(({receiver: of}) => of === 'silent');
    expect(found).not.toEqual([]);
    return found;
  });
  expect(first).toMatchObject({outcome: 'failed', detail: 'ECONNRESET'});
});

test('the body of an answer is not read, whatever its length', async () => {
  let isLeft = false;
  const endless = await receiver('endless', (request, response) => {
    request.resume();
    response.writeHead(200, {'content-length': '500000000'});
    response.write('x'.repeat(1_000));
    response.once('close', () => (isLeft = true));
  });
  const runtime = await open(endless);
  notify(runtime);
  await ask(runtime);
  expect(await ended(runtime, 'endless', 1)).toMatchObject([{outcome: 'delivered', detail: 'status 200'}]);
  await vi.waitFor(() => expect(isLeft).toBe(true), {timeout: 60_000});
});

test('people see how each receiver was notified', async () => {
  const runtime = await open(await receiver('team', answers(204)), await receiver('other', answers(500)));
  const request_id = await ask(runtime);
  expect(runtime.notifications.statusesOf(request_id)).toEqual([
    {receiver: 'team', outcome: 'waiting'},
    {receiver: 'other', outcome: 'waiting'},
  ]);
  notify(runtime);
  await ended(runtime, 'team', 1);
  await ended(runtime, 'other', 1);
  expect(runtime.notifications.statusesOf(request_id)).toMatchObject([
    {receiver: 'team', outcome: 'delivered', occasion: 'requested', attempt: 1, detail: 'status 204'},
    {receiver: 'other', outcome: 'failed', occasion: 'requested', attempt: 1, detail: 'status 500'},
  ]);
  expect(runtime.notifications.statusesOf('apr-none')).toEqual([]);
});

test('a request that was over before anybody was notified shows nothing', async () => {
  const runtime = await open(await receiver('team', answers(204)));
  const request_id = await ask(runtime);
  unwrap(await runtime.resolveApproval({request_id, approved: false, approved_by: 'bob'}));
  expect(runtime.notifications.statusesOf(request_id)).toEqual([]);
  expect(await runtime.notifications.claim()).toEqual([]);
});
