// Two hosts on one PostgreSQL database that differ where they should not: in their clocks, their workspace.yaml, their keys.
import {openPostgresState} from '@lumenflow/integration-postgres';
import {createPostgresServer, noServer, type PostgresServer} from '@lumenflow/integration-postgres/testing';
import {openSession, type Host, type HostOptions} from '@lumenflow/host';
import {createSystemClock} from '@lumenflow/kernel/node';
import type {PolicyRule} from '@lumenflow/schemas';
import {cpSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';
import {echoFiles, echoPin} from './echo-pack.fixture.ts';

const hourMs = 3_600_000;
const keys = '.lumenflow/keys';
const asks = {id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'echo:say'}} as const;
const denies = {...asks, id: 'deny', decision: 'deny'} as const;

describe.skipIf(noServer !== undefined)('two hosts on one database that differ', () => {
  let database: PostgresServer;
  let url: string;
  let workspaces: HostWorkspace[];

  beforeAll(async () => {
    database = await createPostgresServer();
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    url = await database.createDatabase();
    workspaces = [];
  });
  afterEach(async () => {
    for (const workspace of workspaces) await workspace.remove();
  });

  function workspaceWith(rules: readonly PolicyRule[] = []): HostWorkspace {
    const policies = {default_decision: 'allow' as const, rules: [...rules]};
    const workspace = makeHostWorkspace({files: echoFiles, spec: {packs: [echoPin], policies}});
    workspaces.push(workspace);
    return workspace;
  }
  const startOn = async (workspace: HostWorkspace, options: Partial<HostOptions> = {}): Promise<Host> =>
    await workspace.start({state: await openPostgresState({url}), ...options});
  const say = async ({runtime}: Host, by: string, text: string) =>
    await opened(await openSession(runtime, {by, task: {title: text}})).call('echo:say', {text});

  test.each([hourMs, -hourMs])('in their clocks, by %i ms: the database orders what both record', async (offsetMs) => {
    const clock = createSystemClock();
    const off = {
      now: () => clock.now() + offsetMs,
      timestamp: (ms = 0) => clock.timestamp(ms + offsetMs),
      monotonic: () => clock.monotonic(),
    };
    const rightWorkspace = workspaceWith();
    const right = await startOn(rightWorkspace);
    const wrongWorkspace = workspaceWith();
    cpSync(join(rightWorkspace.root, keys), join(wrongWorkspace.root, keys), {recursive: true});
    const wrong = await startOn(wrongWorkspace, {clock: off});
    const texts = ['1', '2', '3', '4', '5', '6'];
    for (const [index, text] of texts.entries())
      expect(await say(index % 2 === 0 ? right : wrong, 'ann', text)).toMatchObject({success: true});
    await wrong.runtime.evidence.checkpoint();
    for (const {runtime} of [right, wrong]) {
      await runtime.refresh();
      const {receipts} = await runtime.evidence.readTraces({limit: 100});
      const calls = receipts.toSorted((one, other) => one.started.seq - other.started.seq);
      // None was ended as the call of a process that is gone.
      expect(calls.map(({finished}) => finished?.result)).toEqual(texts.map(() => 'success'));
      const times = calls.map(({started}) => Date.parse(started.timestamp));
      const jumps = times.slice(1).map((time, index) => Math.sign(time - (times[index] ?? 0)));
      expect(jumps).toEqual([1, -1, 1, -1, 1].map((sign) => sign * Math.sign(offsetMs)));
      expect((await runtime.evidence.verify()).findings).toEqual([]);
    }
  });

  test('in their workspace.yaml: each enforces its own rules, also on what the other one allowed', async () => {
    const older = await startOn(workspaceWith());
    const newer = await startOn(workspaceWith([denies]));
    expect(await say(older, 'ann', 'old')).toMatchObject({success: true, data: {text: 'old'}});
    expect(await say(newer, 'ann', 'new')).toMatchObject({success: false, error: {code: 'POLICY_DENIED'}});
    expect(await say(older, 'ann', 'old again')).toMatchObject({success: true});
  });

  test('in their keys: a host that does not know the signer of the newest checkpoint does not start', async () => {
    const first = workspaceWith();
    const signing = await startOn(first);
    expect(await say(signing, 'ann', 'signed')).toMatchObject({success: true});
    await signing.runtime.evidence.checkpoint();
    const stranger = workspaceWith();
    await expect(startOn(stranger)).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringContaining('evidence.pub') as string,
    });
    cpSync(join(first.root, keys), join(stranger.root, keys), {recursive: true});
    const known = await startOn(stranger);
    expect(await say(known, 'ann', 'known')).toMatchObject({success: true});
    await known.runtime.evidence.checkpoint();
    expect((await known.runtime.evidence.verify()).findings).toEqual([]);
  });
});
