// Sessions and workflows on an engine: the scheduler reports what is due, the engine's work runs it, and waits for the answers of people.
import {
  agentWork,
  createEmbeddedEngine,
  startAgentScheduler,
  type AgentScheduler,
  type Host,
  type Session,
} from '@lumenflow/host';
import type {Engine} from '@lumenflow/kernel/adapters';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const add = (line: string, intent = 'notes'): object => ({
  intent,
  requested_tools: [{name: 'note:add', input: {path: 'log.md', line}}],
});
const done = {status: 'complete', content: 'done'};
const scripts: Readonly<Record<string, readonly object[]>> = {
  collect: [add('collected'), done],
  sum: [add('summed'), done],
  asking: [add('asked', 'careful'), done],
};
const patience = {timeout: 120_000, interval: 200};

let workspace: HostWorkspace;
let host: Host;
let session: Session;
let scheduler: AgentScheduler;
let engine: Engine;
/** The runs that the engine advanced, one entry for each attempt. */
let attempts: string[];
let errors: unknown[];

beforeEach(async () => {
  const names = Object.keys(scripts);
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime'],
    copied: {notes: join(import.meta.dirname, '../../support/notes-pack')},
    pins: {notes: {trust: 'in_process'}},
    files: Object.fromEntries(names.map((name) => [`agents/${name}.json`, JSON.stringify({turns: scripts[name]})])),
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
  [attempts, errors] = [[], []];
  const work = agentWork(host);
  engine = createEmbeddedEngine({
    ...work,
    async advance(run_id, signal) {
      attempts.push(run_id);
      return await work.advance(run_id, signal);
    },
  });
  scheduler = startAgentScheduler(host, {
    engine,
    onRun: (run) => errors.push(run),
    onError: (error) => errors.push(error),
  });
});
afterEach(async () => {
  await scheduler.close();
  await workspace.remove();
});

test('a workflow with an approval, and a session that asks, run on the engine and do each call once', async () => {
  await must(session, 'agent-workflow:start', {
    workflow_id: 'report',
    nodes: [
      {node_id: 'collect', task: 'Collect', model_profile: 'collect'},
      {node_id: 'sum', task: 'Sum', model_profile: 'sum', depends_on: [{node_id: 'collect'}], approval_required: true},
    ],
  });
  await must(session, 'agent-session:start', {session_id: 'errand', task: 'Ask', model_profile: 'asking'});
  const waiting = await vi.waitFor(() => {
    const pending = host.runtime.listApprovals({state: 'pending'});
    expect(pending.map(({subject}) => subject.task_id).toSorted()).toEqual(['errand', 'report.sum.approval']);
    return pending;
  }, patience);
  await vi.waitFor(async () => expect((await engine.query('agent:errand'))?.state).toBe('waiting'), patience);
  expect(await engine.query('agent:errand')).toEqual({
    state: 'waiting',
    waits_for: waiting.filter(({subject}) => subject.task_id === 'errand').map(({request_id}) => request_id),
  });
  for (const {request_id} of waiting)
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
  await vi.waitFor(async () => {
    for (const session_id of ['report.collect', 'report.sum', 'errand'])
      expect(await must(session, 'agent-session:status', {session_id})).toMatchObject({outcome: 'complete'});
  }, patience);
  const lines = readFileSync(join(workspace.root, 'log.md'), 'utf8').trim().split('\n');
  expect(lines.toSorted()).toEqual(['asked', 'collected', 'summed']);
  expect(new Set(attempts)).toEqual(
    new Set(['agent:report.collect', 'agent:report.sum.approval', 'agent:report.sum', 'agent:errand']),
  );
  expect(errors).toEqual([]);
});

test('a run that is not of an agent, or that nobody knows, is refused or over', async () => {
  const work = agentWork(host);
  const {signal} = new AbortController();
  await expect(work.advance('program-1', signal)).rejects.toMatchObject({is_final: true});
  expect(await work.advance('agent:nobody', signal)).toEqual({state: 'over'});
  expect(await work.read('agent:nobody')).toBeUndefined();
});
