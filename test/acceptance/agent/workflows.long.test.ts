// Workflows run by a scheduler: branches and joins, branches not taken, nodes that sleep, nodes that need an approval to start,
// and sessions that continue by themselves after an approval.
import {countsTowardsWip} from '@lumenflow/kernel';
import {startAgentScheduler, type AgentScheduler, type Host, type Session} from '@lumenflow/host';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const add = (line: string) => ({intent: 'notes', requested_tools: [{name: 'note:add', input: {path: 'log.md', line}}]});
const done = (content: string) => ({status: 'complete', content});
const scripts: Readonly<Record<string, readonly object[]>> = {
  collect: [add('collected'), done('three numbers')],
  left: [add('left'), done('left is done')],
  right: [add('right'), done('right is done')],
  stuck: [{status: 'escalate', content: 'I do not know.'}],
  sum: [add('summed'), done('6')],
  asking: [
    {intent: 'careful', requested_tools: [{name: 'note:add', input: {path: 'log.md', line: 'asked'}}]},
    done('asked'),
  ],
};

let workspace: HostWorkspace;
let host: Host;
let scheduler: AgentScheduler;
let session: Session;
const errors: unknown[] = [];

beforeAll(async () => {
  const names = Object.keys(scripts);
  const files = names.map((name) => [`agents/${name}.json`, JSON.stringify({turns: scripts[name]})]);
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime'],
    copied: {notes: join(import.meta.dirname, '../../support/notes-pack')},
    pins: {notes: {trust: 'in_process'}},
    files: Object.fromEntries(files),
    spec: {
      lanes: [{id: 'core', wip_limit: 4, allowed_scopes: everything}],
      agent_runtime: {
        default_model: 'collect',
        models: Object.fromEntries(
          names.map((name) => [name, {provider: 'scripted', model: name, script: `agents/${name}.json`}]),
        ),
        intents: {notes: {allow_tools: ['note:add']}, careful: {approval_required_tools: ['note:add']}},
      },
    },
  });
  host = await workspace.start();
  session = opened(await host.openSession({by: 'ada'}));
  scheduler = startAgentScheduler(host, {concurrency: 2, onError: (error) => errors.push(error)});
});
afterAll(async () => {
  await scheduler.close();
  await workspace.remove();
});

interface View {
  readonly status: string;
  readonly nodes: readonly {
    readonly node_id: string;
    readonly session_id: string;
    readonly state: string;
    readonly outcome?: string;
  }[];
}

/** By node: its outcome or else its state, and of what failed why. */
async function statesOf(workflow_id: string): Promise<Record<string, string>> {
  const {nodes} = (await must(session, 'agent-workflow:status', {workflow_id})) as unknown as View;
  const states = nodes.map(async ({node_id, session_id, state, outcome}) => {
    if (outcome !== 'failed') return [node_id, outcome ?? state];
    const {message} = await must(session, 'agent-session:status', {session_id});
    return [node_id, `failed: ${String(message)}`];
  });
  return Object.fromEntries(await Promise.all(states)) as Record<string, string>;
}

const patience = {timeout: 120_000, interval: 300};

/** On a timeout, the difference shows the state of the nodes, and what the scheduler could not do. */
async function reaches(workflow_id: string, nodes: Readonly<Record<string, string>>): Promise<void> {
  await vi.waitFor(async () => {
    expect({nodes: await statesOf(workflow_id), errors: errors.map(String)}).toEqual({nodes, errors: []});
  }, patience);
}

async function reasonOf(session_id: string): Promise<readonly string[]> {
  const {continuations} = (await must(session, 'agent-session:status', {session_id})) as unknown as {
    continuations: {reason: string}[];
  };
  return continuations.map(({reason}) => reason);
}

test('branches run, a join receives their results, and a branch that is not chosen is skipped', async () => {
  await must(session, 'agent-workflow:start', {
    workflow_id: 'report',
    nodes: [
      {node_id: 'collect', task: 'Collect', model_profile: 'collect'},
      {node_id: 'left', task: 'Left', model_profile: 'left', depends_on: [{node_id: 'collect'}]},
      {node_id: 'right', task: 'Right', model_profile: 'right', depends_on: [{node_id: 'collect'}]},
      {
        node_id: 'rescue',
        task: 'Rescue',
        model_profile: 'stuck',
        depends_on: [{node_id: 'collect', outcomes: ['escalate']}],
      },
      {
        node_id: 'sum',
        task: 'Sum up',
        model_profile: 'sum',
        depends_on: [{node_id: 'left'}, {node_id: 'right'}, {node_id: 'rescue'}],
      },
    ],
  });
  await reaches('report', {
    collect: 'complete',
    left: 'complete',
    right: 'complete',
    rescue: 'skipped',
    sum: 'complete',
  });
  expect(await reasonOf('report.left')).toEqual(['branch_completed']);
  expect(await reasonOf('report.sum')).toEqual(['join_ready']);
  const {brief} = (await must(session, 'agent-session:status', {session_id: 'report.sum'})) as unknown as {
    brief: {task: string};
  };
  expect(brief.task).toBe('Sum up\n\nResult of `left`:\nleft is done\n\nResult of `right`:\nright is done');
  expect(await must(session, 'agent-workflow:status', {workflow_id: 'report'})).toMatchObject({status: 'done'});
}, 300_000);

test('a node sleeps until its time, and waits until a person lets it begin', async () => {
  const wake_at = new Date(Date.now() + 2_000).toISOString();
  await must(session, 'agent-workflow:start', {
    workflow_id: 'later',
    nodes: [
      {node_id: 'sleeper', task: 'Sleep', model_profile: 'left', wake_at},
      {node_id: 'gated', task: 'Ask', model_profile: 'right', approval_required: true},
      {node_id: 'refused', task: 'Ask', model_profile: 'right', approval_required: true},
    ],
  });
  await vi.waitFor(() => {
    expect(host.runtime.listApprovals({state: 'pending'})).toHaveLength(2);
  }, patience);
  for (const approval of host.runtime.listApprovals({state: 'pending'})) {
    const approved = approval.subject.task_id === 'later.gated.approval';
    await host.runtime.resolveApproval({request_id: approval.request_id, approved, approved_by: 'ada'});
  }
  await reaches('later', {sleeper: 'complete', gated: 'complete', refused: 'approval_required'});
  expect(await reasonOf('later.sleeper')).toEqual(['wakeup']);
  expect(await reasonOf('later.gated')).toEqual(['approval']);
}, 300_000);

/** Starts a session elsewhere that asks first; resolves once it waits. Gives the request. */
async function startAsking(session_id: string): Promise<string> {
  await must(session, 'agent-session:start', {session_id, task: 'Ask first', model_profile: 'asking'});
  // Where the loop left it is written down after the request: only then is there somebody to answer for.
  await vi.waitFor(async () => {
    expect(await must(session, 'agent-session:status', {session_id})).toMatchObject({status: 'waiting'});
  }, patience);
  return host.runtime.listApprovals({state: 'pending', task_id: session_id})[0]?.request_id ?? '';
}

test('a session started elsewhere continues after an approval elsewhere, though its lane is full', async () => {
  const elsewhere = await workspace.start();
  const request_id = await startAsking('errand');
  const others = ['one', 'two', 'three'].map((name) => `errand-${name}`);
  for (const id of others) {
    await host.runtime.createTask({id, lane_id: 'core'});
    expect(await host.runtime.claimTask({task_id: id, by: 'bob', session_id: 'bob'})).toMatchObject({success: true});
  }
  expect(host.runtime.listTasks().filter(countsTowardsWip)).toHaveLength(4);
  await elsewhere.runtime.resolveApproval({request_id, approved: true, approved_by: 'ada'});
  await vi.waitFor(async () => {
    expect(await must(session, 'agent-session:status', {session_id: 'errand'})).toMatchObject({
      status: 'ended',
      outcome: 'complete',
    });
  }, patience);
  expect(await reasonOf('errand')).toEqual(['created', 'approval']);
  for (const task_id of others) {
    await host.runtime.completeTask({task_id, session_id: 'bob', by: 'bob'});
  }
}, 300_000);

test('a session that is cancelled while it waits gives its place in the lane back', async () => {
  await startAsking('given-up');
  await must(session, 'agent-session:cancel', {session_id: 'given-up'});
  await vi.waitFor(async () => {
    expect(await host.runtime.inspectTask('given-up')).toMatchObject({data: {state: 'done'}});
  }, patience);
  expect(errors).toEqual([]);
}, 300_000);
