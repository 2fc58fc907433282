// Notifications about requests for approval by e-mail, through a real mail server.
import {startNotifier} from '@lumenflow/host';
import type {KernelEvent} from '@lumenflow/schemas';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {SMTPServer} from 'smtp-server';
import {expect, onTestFinished, test, vi} from 'vitest';
import {createStage, unwrap, type Stage, type StagedRuntime} from '../../support/stage.ts';
import {stateKinds} from '../../support/state-home.ts';

const env = {MAIL_USER: 'lumenflow', MAIL_PASSWORD: 'right'};

interface MailHome {
  readonly port: number;
  readonly received: string[];
  /** Statuses of the next answers to a message. */
  readonly refusals: number[];
}

async function startMail(): Promise<MailHome> {
  const received: string[] = [];
  const refusals: number[] = [];
  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({username, password}, _session, answer) =>
      username === env.MAIL_USER && password === env.MAIL_PASSWORD
        ? answer(null, {user: username})
        : answer(new Error('wrong')),
    onData: (stream, _session, answer) => {
      let content = '';
      stream.setEncoding('utf8').on('data', (part: string) => (content += part));
      stream.once('end', () => {
        received.push(content);
        const responseCode = refusals.shift();
        answer(responseCode === undefined ? null : Object.assign(new Error('later'), {responseCode}));
      });
    },
  });
  const listener = mail.listen(0, '127.0.0.1');
  onTestFinished(() => new Promise<void>((resolve) => mail.close(resolve)));
  await once(listener, 'listening');
  return {port: (listener.address() as AddressInfo).port, received, refusals};
}

async function open(port: number): Promise<{readonly stage: Stage; readonly runtime: StagedRuntime}> {
  const [kind] = stateKinds;
  if (!kind) throw new Error('there is no kind of state');
  const stage = createStage(kind);
  onTestFinished(() => stage.close());
  const email = {
    from: 'lumenflow@mail.example',
    to: ['ann@mail.example'],
    user_env: 'MAIL_USER',
    password_env: 'MAIL_PASSWORD',
  } as const;
  const runtime = await stage.open({
    workspace: {
      policies: {
        default_decision: 'allow',
        rules: [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'files:write'}}],
      },
      approvals: {
        url: 'https://lumenflow.example',
        notify: [{id: 'mail', url: `smtp://127.0.0.1:${port}`, email: {...email, to: [...email.to]}}],
      },
    },
  });
  return {stage, runtime};
}

async function ask(runtime: StagedRuntime): Promise<string> {
  const context = await runtime.startTask('task-1', {session_id: 'a'});
  const called = await runtime.executeTool('files:write', {path: 'private-path'}, context);
  return String(called.error?.details?.['request_id']);
}

async function ended(runtime: StagedRuntime, count: number): Promise<readonly KernelEvent[]> {
  return await vi.waitFor(
    async () => {
      const found = (await runtime.events.read({})).filter(({type}) => type === 'notification_ended');
      expect(found).toHaveLength(count);
      return found;
    },
    {timeout: 60_000},
  );
}

function notify(runtime: StagedRuntime, more: Readonly<Record<string, string>> = {}): readonly string[] {
  const errors: string[] = [];
  const onError = (error: unknown): void => void errors.push(`${Object(error).failure?.code} ${String(error)}`);
  const notifier = startNotifier(runtime, {env: {...env, ...more}, intervalMs: 20, onError});
  onTestFinished(() => notifier.close());
  return errors;
}

const header = (content: string | undefined, name: string): string | undefined =>
  content?.split('\r\n').find((line) => line.startsWith(`${name}: `));

test('a repeated e-mail has the same id, the end of the request is a reply, and none contains the input', async () => {
  const {port, received, refusals} = await startMail();
  refusals.push(451);
  const {stage, runtime} = await open(port);
  const errors = notify(runtime);
  const request_id = await ask(runtime);
  expect(await ended(runtime, 1)).toMatchObject([{outcome: 'failed', attempt: 1}]);
  expect(errors).toEqual([expect.stringMatching(/^NOTIFICATION_FAILED .*`mail`.*status 451: .*tried again later/u)]);
  stage.clock.move(10_000);
  expect((await ended(runtime, 2))[1]).toMatchObject({outcome: 'delivered', attempt: 2, detail: 'status 250'});
  unwrap(await runtime.resolveApproval({request_id, approved: true, approved_by: 'bob'}));
  await ended(runtime, 3);
  const [first, again, closed] = received;
  expect(header(first, 'Message-ID')).toMatch(/^Message-ID: <msg_[0-9a-f]{32}@mail\.example>$/u);
  expect(header(again, 'Message-ID')).toBe(header(first, 'Message-ID'));
  expect(header(closed, 'Message-ID')).not.toBe(header(first, 'Message-ID'));
  expect(header(closed, 'In-Reply-To')?.split(' ')[1]).toBe(header(first, 'Message-ID')?.split(' ')[1]);
  expect(header(first, 'Subject')).toBe('Subject: Approval needed: files:write');
  // Quoted-printable text continues lines after `=`.
  expect(first?.replaceAll('=\r\n', '')).toContain(`Open: https://lumenflow.example/#/approvals/${request_id}\r\n`);
  expect(header(closed, 'Subject')).toMatch(/^Subject: Request is \w+: files:write$/u);
  expect(received.join('').replaceAll('=\r\n', '')).not.toContain('private-path');
});

test('a final refusal is not repeated, and a wrong password is', async () => {
  const {port, received, refusals} = await startMail();
  refusals.push(554);
  const {stage, runtime} = await open(port);
  notify(runtime);
  await ask(runtime);
  expect(await ended(runtime, 1)).toMatchObject([{outcome: 'given_up', detail: expect.stringContaining('status 554')}]);
  stage.clock.move(3_600_000);
  expect(await runtime.notifications.claim()).toEqual([]);
  expect(received).toHaveLength(1);
  const other = await open(port);
  const errors = notify(other.runtime, {MAIL_PASSWORD: 'wrong-secret'});
  await ask(other.runtime);
  expect(await ended(other.runtime, 1)).toMatchObject([{outcome: 'failed', detail: expect.stringContaining('535')}]);
  expect(errors.join('')).not.toMatch(/wrong-secret|127\.0\.0\.1/u);
});
