// Notifications about requests for approval, to real HTTP servers.
import {startNotifier, type Notifier} from '@lumenflow/host';
import type {KernelEvent, NotificationReceiver} from '@lumenflow/schemas';
import {createServer, type IncomingHttpHeaders, type Server} from 'node:http';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {Webhook} from 'standardwebhooks';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../support/stage.ts';
import {stateKinds} from '../../support/state-home.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // Any message; tests inspect it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly message: any;
}

let stage: Stage;
let server: Server;
let url: string;
let received: Received[];
let statuses: (number | readonly [number, Record<string, string>])[];
let notifiers: Notifier[];
let errors: string[];
beforeEach(async () => {
  const [kind] = stateKinds;
  if (!kind) throw new Error('there is no kind of state');
  stage = createStage(kind);
  received = [];
  statuses = [];
  notifiers = [];
  errors = [];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.once('end', () => {
      received.push({headers: request.headers, body, message: JSON.parse(body)});
      const next = statuses.shift() ?? 204;
      const [status, headers] = typeof next === 'number' ? [next, {}] : next;
      response.writeHead(status, headers).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  await Promise.all(notifiers.map((notifier) => notifier.close()));
  await stage.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

type More = Omit<NotificationReceiver, 'id' | 'url' | 'url_env'>;

async function open(more: More = {}, remind_after?: [string, ...string[]]): Promise<StagedRuntime> {
  return await stage.open({
    workspace: {
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'ask',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            reason: 'a person <!channel> looks',
            when: {tool: 'files:write'},
          },
        ],
      },
      approvals: {
        url: 'https://lumenflow.example',
        notify: [{id: 'team', url, ...more}],
        ...(remind_after && {remind_after}),
      },
    },
  });
}

function notify(runtime: StagedRuntime, env: Readonly<Record<string, string>> = {}): Notifier {
  const onError = (error: unknown): void => void errors.push(`${Object(error).failure?.code} ${String(error)}`);
  const notifier = startNotifier(runtime, {env, intervalMs: 20, onError});
  notifiers.push(notifier);
  return notifier;
}

async function ask(runtime: StagedRuntime, id = 'task-1'): Promise<string> {
  const context = await runtime.startTask(id, {session_id: id});
  const called = await runtime.executeTool('files:write', {path: 'private-path'}, context);
  return String(called.error?.details?.['request_id']);
}

const arrived = async (count: number): Promise<void> =>
  await vi.waitFor(() => expect(received).toHaveLength(count), {timeout: 60_000});

async function outcomes(runtime: StagedRuntime): Promise<readonly Partial<KernelEvent>[]> {
  return (await runtime.events.read({})).filter(({type}) => type === 'notification_ended');
}

async function ended(runtime: StagedRuntime, count: number): Promise<readonly Partial<KernelEvent>[]> {
  return await vi.waitFor(
    async () => {
      const found = await outcomes(runtime);
      expect(found).toHaveLength(count);
      return found;
    },
    {timeout: 60_000},
  );
}

test('of two hosts, one sends each message, signed as Standard Webhooks say, without the input', async () => {
  const more = {secret_env: 'SECRET'};
  const [one, two] = [await open(more), await open(more)];
  notify(one, {SECRET: secret});
  notify(two, {SECRET: secret});
  const ids = await Promise.all([ask(one, 'a'), ask(two, 'b'), ask(one, 'c')]);
  await ended(one, 3);
  expect(new Set(received.map(({message}) => message.data.request_id))).toEqual(new Set(ids));
  expect(received).toHaveLength(3);
  for (const {body, headers, message} of received) {
    const sent = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(sent).toEqual(message);
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(body).not.toContain('private-path');
    expect(message).toMatchObject({
      type: 'approval.requested',
      data: {tool_name: 'files:write', state: 'pending', rules: [{rule_id: 'ask'}], attempt: 1},
    });
    expect(message.data.url).toBe(`https://lumenflow.example/#/approvals/${message.data.request_id}`);
  }
  unwrap(await two.resolveApproval({request_id: ids[0] ?? '', approved: false, approved_by: 'bob', reason: 'no'}));
  await ended(one, 4);
  expect(received[3]?.message).toMatchObject({
    type: 'approval.closed',
    data: {request_id: ids[0], state: 'rejected', resolved_by: 'bob', reason: 'no'},
  });
  expect(new Set(received.map(({headers}) => headers['webhook-id'])).size).toBe(4);
  expect(errors).toEqual([]);
});

test('a failed message is sent again with the same id, after its pause, also by another host after a restart', async () => {
  statuses = [500, [503, {'retry-after': '60'}]];
  const first = await open();
  const notifier = notify(first);
  await ask(first);
  await ended(first, 1);
  await notifier.close();
  const second = await open();
  notify(second);
  stage.clock.move(9_999);
  expect(await second.notifications.claim()).toEqual([]);
  stage.clock.move(1);
  await ended(second, 2);
  stage.clock.move(59_999);
  expect(await second.notifications.claim()).toEqual([]);
  stage.clock.move(1);
  expect(await ended(second, 3)).toMatchObject([
    {outcome: 'failed', attempt: 1, detail: 'status 500'},
    {outcome: 'failed', attempt: 2, detail: 'status 503'},
    {outcome: 'delivered', attempt: 3},
  ]);
  expect(new Set(received.map(({headers}) => headers['webhook-id'])).size).toBe(1);
  expect(errors.map((error) => error.split(' ')[0])).toEqual(['NOTIFICATION_FAILED', 'NOTIFICATION_FAILED']);
  expect(errors[0]).toContain('`team` of approvals was not notified: status 500; it is tried again later');
  expect(errors.join('')).not.toContain(url);
});

test('an attempt of a host that died is taken over; one of a living host is not', async () => {
  const first = await open();
  await ask(first);
  expect(await first.notifications.claim()).toMatchObject([{occasion: 'requested', attempt: 1}]);
  const second = await open();
  expect(await second.notifications.claim()).toEqual([]);
  stage.processes.kill(first.processId);
  const [due] = await second.notifications.claim();
  expect(due).toMatchObject({occasion: 'requested', attempt: 2});
  const late = {
    request_id: due?.approval.request_id ?? '',
    receiver: 'team',
    occasion: 'requested',
    attempt: 1,
  } as const;
  await first.notifications.end({...late, outcome: 'delivered'});
  expect(await outcomes(second)).toEqual([]);
});

test('a request without an answer is reported again, and a missed reminder is not made up for', async () => {
  const runtime = await open({}, ['1h', '2h', '1d']);
  notify(runtime);
  await ask(runtime);
  await arrived(1);
  await ended(runtime, 1);
  stage.clock.move(3_600_000);
  await ended(runtime, 2);
  stage.clock.move(30 * 3_600_000);
  await ended(runtime, 3);
  expect(await ended(runtime, 3)).toMatchObject([
    {occasion: 'requested'},
    {occasion: 'reminder-1'},
    {occasion: 'reminder-3'},
  ]);
  stage.clock.move(7 * 86_400_000);
  expect((await ended(runtime, 4))[3]).toMatchObject({occasion: 'closed'});
  expect(received.map(({message}) => message.type)).toEqual([
    'approval.requested',
    'approval.reminder',
    'approval.reminder',
    'approval.closed',
  ]);
  expect(received[3]?.message.data.state).toBe('expired');
});

test.each([
  [[302, {location: '/elsewhere'}], 'status 302: redirects are not followed'],
  [410, 'status 410'],
] as const)('%s ends the attempts', async (status, detail) => {
  statuses = [status];
  const runtime = await open();
  notify(runtime);
  await ask(runtime);
  expect(await ended(runtime, 1)).toMatchObject([{outcome: 'given_up', detail}]);
  stage.clock.move(3_600_000);
  expect(await runtime.notifications.claim()).toEqual([]);
  expect(received).toHaveLength(1);
});

test('a pause is also obeyed as a date, and one in the past is not', async () => {
  statuses = [
    [503, {'retry-after': new Date(Date.now() + 7_200_000).toUTCString()}],
    [503, {'retry-after': 'Mon, 01 Jan 2001 00:00:00 GMT'}],
  ];
  const runtime = await open();
  notify(runtime);
  await ask(runtime);
  await ended(runtime, 1);
  for (const [index, ms] of [3_600_000, 20_000].entries()) {
    stage.clock.move(ms - 1);
    expect(await runtime.notifications.claim()).toEqual([]);
    stage.clock.move(1);
    await ended(runtime, index + 2);
  }
});

test('after twelve attempts, a message is given up', async () => {
  statuses = Array.from({length: 20}, () => 500);
  const runtime = await open();
  notify(runtime);
  await ask(runtime);
  for (let count = 1; count <= 12; count += 1) {
    await ended(runtime, count);
    stage.clock.move(3_600_000);
  }
  expect((await outcomes(runtime)).at(-1)).toMatchObject({outcome: 'given_up', attempt: 12});
  expect(await runtime.notifications.claim()).toEqual([]);
});

test('a receiver gets only what it wants', async () => {
  const runtime = await open({also: []}, ['1h']);
  notify(runtime);
  const request_id = await ask(runtime);
  await ended(runtime, 1);
  stage.clock.move(3_600_000);
  expect(await runtime.notifications.claim()).toEqual([]);
  unwrap(await runtime.resolveApproval({request_id, approved: true, approved_by: 'bob'}));
  expect(await runtime.notifications.claim()).toEqual([]);
});

test.each(['slack', 'teams'] as const)('the text for %s mentions no channel', async (format) => {
  const runtime = await open({format});
  notify(runtime);
  await ask(runtime);
  await arrived(1);
  const {message, body} = received[0] ?? {message: {}, body: ''};
  expect(body).toContain('Approval needed: files:write');
  expect(body).toContain('https://lumenflow.example/#/approvals/apr-');
  if (format === 'slack') {
    expect(message.blocks.map(({type}: {type: string}) => type)).toEqual(['header', 'section', 'actions']);
    const texts = [message.blocks[0].text, ...message.blocks[1].fields];
    expect(texts.every(({type}: {type: string}) => type === 'plain_text')).toBe(true);
  } else {
    expect(message).toMatchObject({type: 'message', attachments: [{content: {type: 'AdaptiveCard', version: '1.4'}}]});
    expect(body).not.toContain('"TextBlock"');
  }
});

test.each(['https://10.0.0.1/', 'https://[::ffff:192.168.1.1]/', 'https://169.254.169.254/', 'https://[fd00::1]/'])(
  'a message to the private address %s is not sent',
  async (address) => {
    const notifyTo = [{id: 'team', url: address}] as [NotificationReceiver];
    const rule = {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required'} as const;
    const runtime = await stage.open({
      workspace: {policies: {default_decision: 'allow', rules: [rule]}, approvals: {notify: notifyTo}},
    });
    notify(runtime);
    await ask(runtime);
    expect(await ended(runtime, 1)).toMatchObject([{outcome: 'given_up', detail: 'private address'}]);
  },
);
