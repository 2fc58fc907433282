// Several processes on one workspace, which is the normal case: each client starts its own.
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt} from '../../support/lumenflow-program.ts';

let workspace: HostWorkspace;
let processes: HostProcess[];

beforeEach(() => {
  assertBuilt();
  processes = [];
  workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
    spec: {
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'ask-before-reports',
            trigger: 'on_tool_request',
            decision: 'approval_required',
            when: {tool: ['pool:report', 'sandbox:report']},
          },
        ],
      },
    },
  });
});
afterEach(async () => {
  await Promise.all(processes.map((running) => running.kill()));
  await workspace.remove();
});

async function start(): Promise<HostProcess> {
  const started = await startHostProcess(workspace.root);
  processes.push(started);
  return started;
}

test('a script that closes its host exits by itself', async () => {
  const only = await start();
  await only.ask('open', {by: 'script'});
  expect(await only.call('sandbox:echo', {a: 1})).toMatchObject({success: true, data: {a: 1}});
  expect(await only.call('pool:echo', {a: 2})).toMatchObject({success: true, data: {a: 2}});
  const exited = await Promise.race([
    only.close(),
    new Promise((resolve) => setTimeout(() => resolve('still there'), 45_000).unref()),
  ]);
  expect(exited).toBe(0);
});

test('restart keeps approvals: granted in one process, the same call passes once in another', async () => {
  const input = {folder: 'docs/x'};
  const asking = await start();
  const session = await asking.ask('open', {by: 'agent', session_id: 'session-1'});
  const asked = await asking.call('pool:report', input);
  expect(asked.error?.code).toBe('APPROVAL_REQUIRED');
  expect(await asking.close()).toBe(0);

  const approving = await start();
  const request_id = String(asked.error?.details?.['request_id']);
  expect(await approving.ask('resolve', {request_id, approved: true, approved_by: 'agent'})).toMatchObject({
    error: {code: 'SELF_APPROVAL'},
  });
  expect(
    await approving.ask('resolve', {request_id, approved: true, approved_by: 'olga', reason: 'looked at it'}),
  ).toMatchObject({success: true});
  expect(await approving.close()).toBe(0);

  const using = await start();
  await using.ask('open', {by: 'agent', session_id: 'session-1', task_id: session.task_id});
  expect((await using.call('pool:report', {folder: 'docs/y'})).error?.code).toBe('APPROVAL_REQUIRED');
  expect(await using.call('pool:report', input)).toMatchObject({success: true});
  expect((await using.call('pool:report', input)).error?.code).toBe('APPROVAL_REQUIRED');
});

test('two processes at once: all calls of both are recorded, and the evidence verifies', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const both = [first, second];
  await Promise.all(both.map((running, index) => running.ask('open', {by: `agent-${index}`})));
  const outputs = await Promise.all(
    Array.from({length: 200}, (_, index) => both[index % 2]!.call(index < 8 ? 'sandbox:echo' : 'pool:echo', {index})),
  );
  expect(outputs.filter(({success}) => !success)).toEqual([]);
  const ids = outputs.map(({metadata}) => String(metadata?.receipt_id)).toSorted();
  for (const running of both) {
    const {receipts} = await running.ask('receipts', {limit: 1000});
    expect(receipts.map(({receipt_id}) => receipt_id).toSorted()).toEqual(ids);
    expect(receipts.every(({finished}) => finished?.result === 'success')).toBe(true);
  }
  expect(await first.close()).toBe(0);
  expect(await second.close()).toBe(0);
  expect(await (await start()).ask('verify')).toMatchObject({status: 'verified', records: 400, findings: []});
});

test('of 20 claims at once in two processes, one wins', async () => {
  const [first, second] = await Promise.all([start(), start()]);
  const both = [first, second];
  await first.ask('create', {id: 'wanted', lane_id: 'core'});
  const claims = await Promise.all(
    Array.from({length: 20}, (_, index) =>
      both[index % 2]!.ask('claim', {task_id: 'wanted', by: `agent-${index}`, session_id: `session-${index}`}),
    ),
  );
  expect(claims.filter(({success}) => success)).toHaveLength(1);
  expect(claims.flatMap((claim) => (claim.success ? [] : claim.error.code))).toEqual(
    Array.from({length: 19}, () => 'TASK_NOT_CLAIMABLE'),
  );
});

test('of 20 simultaneous answers in two processes one counts, and it allows one call in either process', async () => {
  const input = {folder: 'docs/x'};
  const both = await Promise.all([start(), start()]);
  const [first] = both;
  const {task_id} = await first.ask('open', {by: 'agent', session_id: 'session-1'});
  await both[1].ask('open', {by: 'agent', session_id: 'session-1', task_id});
  const request_id = String((await first.call('pool:report', input)).error?.details?.['request_id']);
  const answers = await Promise.all(
    Array.from({length: 20}, (_, index) =>
      both[index % 2]!.ask('resolve', {request_id, approved: true, approved_by: `person-${index}`}),
    ),
  );
  expect(answers.filter(({success}) => success)).toHaveLength(1);
  const outputs = await Promise.all(both.map((running) => running.call('pool:report', input)));
  expect(outputs.filter(({success}) => success)).toHaveLength(1);
});

test.each(['pool', 'sandbox'])(
  'kill -9 in mid-call on the %s: the next start closes that call, and no live one',
  async (place) => {
    const [doomed, living] = await Promise.all([start(), start()]);
    await doomed.ask('open', {by: 'doomed', session_id: 'doomed'});
    await living.ask('open', {by: 'living', session_id: 'living'});
    const lost = doomed.call(`${place}:nap`, {ms: 60_000}).catch(String);
    const kept = living.call(`${place}:nap`, {ms: 55_000, until: 'woken'});
    const open = async (running: HostProcess): Promise<string[]> =>
      (await running.ask('receipts', {result: 'open'})).receipts.map(({started}) => started.session_id).toSorted();
    await expect.poll(() => open(living), {timeout: 45_000}).toEqual(['doomed', 'living']);
    await doomed.kill();
    expect(await lost).toContain('the process ended');

    const next = await start();
    expect(await open(next)).toEqual(['living']);
    const {receipts} = await next.ask('receipts', {session_id: 'doomed'});
    expect(receipts.map(({finished}) => finished?.result)).toEqual(['crashed']);
    workspace.write({woken: ''});
    expect(await kept).toMatchObject({success: true});
    expect((await next.ask('receipts', {session_id: 'living'})).receipts[0]?.finished?.result).toBe('success');
    // The lock of the dead process is free.
    expect(await living.call('pool:echo', {})).toMatchObject({success: true});
    // No process has closed, so nothing is signed yet; everything else is valid.
    expect(await next.ask('verify')).toMatchObject({status: 'unsigned_tail', records: 6});
  },
);

test('kill -9 frees the lane of a session’s own task; what was claimed for its own sake stays', async () => {
  const doomed = await start();
  await doomed.ask('create', {id: 'work', lane_id: 'core'});
  await doomed.ask('claim', {task_id: 'work', by: 'doomed', session_id: 'work'});
  const own = await doomed.ask('open', {by: 'doomed'});
  const living = await start();
  const statesOf = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await living.ask('tasks')).map(({task_id, state}) => [task_id, state]));
  expect(await statesOf()).toEqual({work: 'active', [own.task_id]: 'active'});
  await doomed.kill();
  await living.ask('open', {by: 'living', session_id: 'living'});
  expect(await statesOf()).toEqual({work: 'active', [own.task_id]: 'ready', living: 'active'});
  await living.close();
  const after = await start();
  expect((await after.ask('tasks')).map(({state}) => state)).toEqual(['active', 'ready', 'ready']);
});
