// Workflows through their tools: which are valid, and the state of each node.
import type {SessionOutcome} from '@lumenflow/pack-sdk/agent-session';
import type {ToolContext, ToolDefinition} from '@lumenflow/pack-sdk';
import {runTool} from '@lumenflow/pack-sdk/testing';
import * as fc from 'fast-check';
import {beforeEach, describe, expect, it} from 'vitest';
import type {AgentRuntimeConfig} from '../pack-config.ts';
import type {Session} from '../sessions/session.ts';
import {sessionCancel} from '../tools/session-cancel.ts';
import {sessionStart} from '../tools/session-start.ts';
import {workflowApproveNode} from '../tools/workflow-approve-node.ts';
import {workflowCancel} from '../tools/workflow-cancel.ts';
import {workflowResume} from '../tools/workflow-resume.ts';
import {workflowStart} from '../tools/workflow-start.ts';
import {workflowStatus} from '../tools/workflow-status.ts';
import {scheduleDue} from '../tools/schedule-due.ts';
import {checkDefinition} from './check-definition.ts';
import {viewWorkflow} from './view-workflow.ts';
import type {WorkflowNode} from './workflow.ts';

const config: AgentRuntimeConfig = {default_model: 'a', models: {a: {provider: 'scripted', model: 'm', script: 's'}}};
let state: Readonly<Record<string, string>> = {};
beforeEach(() => {
  state = {};
});

async function run<Input, Output, Config>(
  tool: ToolDefinition<Input, Output, Config>,
  input: object,
  principal: NonNullable<ToolContext['principal']> = {name: 'ann', surface: 'cli'},
): Promise<Output | string> {
  const done = await runTool(tool, input, {config: config as Config, state, principal});
  state = done.state;
  return done.output.success
    ? (done.output.data as Output)
    : `${done.output.error?.code}: ${done.output.error?.message}`;
}

const node = (node_id: string, more: Partial<WorkflowNode> = {}): WorkflowNode => ({node_id, task: node_id, ...more});
const after = (...ids: readonly string[]): Partial<WorkflowNode> => ({depends_on: ids.map((node_id) => ({node_id}))});

describe('a workflow', () => {
  it.each([
    ['a node twice', [node('a'), node('a')], '`a` is used twice'],
    ['an unknown node', [node('a', after('b'))], '`b`, which is not a node'],
    ['a node that depends on itself', [node('a', after('a'))], 'a ← a'],
    ['a cycle', [node('a', after('b')), node('b', after('c')), node('c', after('b'))], 'b ← c ← b'],
    ['an invalid time', [node('a', {wake_at: 'tomorrow'})], '`tomorrow` is not a valid time'],
  ])('with %s is rejected', async (_, nodes, message) => {
    expect(await run(workflowStart, {workflow_id: 'w', nodes})).toContain(message);
    expect(state).toEqual({});
  });

  it('is accepted exactly if its nodes can be ordered', () => {
    const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), {maxLength: 8});
    fc.assert(
      fc.property(edges, (pairs) => {
        const nodes = Array.from({length: 6}, (_, at) =>
          node(`n${at}`, after(...pairs.filter(([from]) => from === at).map(([, to]) => `n${to}`))),
        );
        let isRefused = false;
        try {
          checkDefinition({nodes});
        } catch {
          isRefused = true;
        }
        expect(isRefused).toBe(!canBeOrdered(nodes));
      }),
    );
  });

  it('starts once, is cancelled and resumed; a cancelled node is not due', async () => {
    expect(await run(workflowStart, {workflow_id: 'w', nodes: [node('a')]})).toMatchObject({
      status: 'running',
      nodes: [{state: 'ready'}],
    });
    expect(await run(workflowStart, {workflow_id: 'w', nodes: [node('a')]})).toContain('WORKFLOW_EXISTS');
    expect(await run(scheduleDue, {})).toMatchObject({
      nodes: [{session_id: 'w.a', workflow_id: 'w', task: 'a', reason: 'created'}],
    });
    expect(await run(workflowCancel, {workflow_id: 'w'})).toMatchObject({status: 'cancelled'});
    expect(await run(scheduleDue, {})).toMatchObject({nodes: []});
    expect(await run(workflowResume, {workflow_id: 'w'})).toMatchObject({status: 'running'});
    for (const tool of [workflowStatus, workflowCancel, workflowResume, workflowApproveNode]) {
      expect(await run(tool as ToolDefinition, {workflow_id: 'none', node_id: 'a'})).toContain('WORKFLOW_NOT_FOUND');
    }
  });

  it('reports which claimed sessions cannot continue', async () => {
    await run(workflowStart, {workflow_id: 'w', nodes: [node('a')]});
    for (const session_id of ['w.a', 'ready', 'cancelled']) await run(sessionStart, {session_id, task: 'Do it'});
    await run(sessionCancel, {session_id: 'cancelled'});
    const held = ['w.a', 'ready', 'cancelled', 'unknown'];
    expect(await run(scheduleDue, {held})).toMatchObject({over: [{session_id: 'cancelled'}]});
    await run(workflowCancel, {workflow_id: 'w'});
    expect(await run(scheduleDue, {held})).toMatchObject({over: [{session_id: 'w.a'}, {session_id: 'cancelled'}]});
    expect(await run(scheduleDue, {})).toMatchObject({over: []});
  });

  it('starts a node that a person approved', async () => {
    await run(workflowStart, {workflow_id: 'w', lane_id: 'core', nodes: [node('a', {approval_required: true})]});
    expect(await run(scheduleDue, {})).toMatchObject({
      approvals: [{workflow_id: 'w', node_id: 'a', lane_id: 'core'}],
      nodes: [],
    });
    expect(await run(workflowApproveNode, {workflow_id: 'w', node_id: 'b'})).toContain('NODE_NOT_FOUND');
    expect(await run(workflowApproveNode, {workflow_id: 'w', node_id: 'a'})).toMatchObject({
      nodes: [{state: 'ready', reason: 'approval'}],
    });
  });

  it('reports when the next node wakes', async () => {
    const [soon, later] = ['2999-01-01T00:00:00Z', '2999-01-01T01:00:00+00:00'];
    await run(workflowStart, {workflow_id: 'w', nodes: [node('a', {wake_at: later}), node('b', {wake_at: soon})]});
    expect(await run(scheduleDue, {})).toMatchObject({nodes: [], next_wake_at: soon});
  });
});

describe('a node', () => {
  const nodes = [
    node('a'),
    node('b', after('a')),
    node('c', {depends_on: [{node_id: 'a', outcomes: ['escalate', 'failed']}]}),
    node('d', after('b', 'c')),
    node('e', after('c')),
  ];
  const statesAt = (outcomes: Readonly<Record<string, SessionOutcome>>): readonly string[] => {
    const sessions = Object.entries(outcomes).map(([id, outcome]) => [`w.${id}`, ended(`w.${id}`, outcome)] as const);
    const view = viewWorkflow({workflow_id: 'w', nodes, approved: []}, new Map(sessions), 0);
    return view.nodes.map((found) => (found.state === 'ended' ? found.outcome : found.state));
  };

  it.each([
    [{}, ['ready', 'blocked', 'blocked', 'blocked', 'blocked']],
    [{a: 'complete'}, ['complete', 'ready', 'skipped', 'blocked', 'skipped']],
    [{a: 'escalate'}, ['escalate', 'skipped', 'ready', 'blocked', 'blocked']],
    [{a: 'complete', b: 'reply'}, ['complete', 'reply', 'skipped', 'ready', 'skipped']],
    [{a: 'complete', b: 'failed'}, ['complete', 'failed', 'skipped', 'skipped', 'skipped']],
    [{a: 'limit'}, ['limit', 'skipped', 'skipped', 'skipped', 'skipped']],
  ] as const)('follows from the outcomes of its dependencies: %j', (outcomes, expected) => {
    expect(statesAt(outcomes)).toEqual(expected);
  });
});

function ended(session_id: string, outcome: SessionOutcome): Session {
  return {
    session_id,
    status: 'ended',
    outcome,
    brief: {task: 'x'},
    turns: 1,
    said: [],
    decisions: [],
    continuations: [],
  };
}

/** Kahn's algorithm: removes nodes without open dependencies until none is left. */
function canBeOrdered(nodes: readonly WorkflowNode[]): boolean {
  const left = new Map(
    nodes.map(({node_id, depends_on = []}) => [node_id, new Set(depends_on.map((one) => one.node_id))]),
  );
  for (;;) {
    const free = [...left].filter(([, waits]) => waits.size === 0).map(([id]) => id);
    if (free.length === 0) return left.size === 0;
    for (const id of free) left.delete(id);
    for (const waits of left.values()) for (const id of free) waits.delete(id);
  }
}

it('accepts its starter, an operator, and calls that a person approved', async () => {
  await run(workflowStart, {workflow_id: 'w', nodes: [node('a')]});
  for (const tool of [workflowCancel, workflowResume]) {
    const refused = await run(tool, {workflow_id: 'w'}, {name: 'mallory', surface: 'mcp'});
    expect(refused).toBe(
      'WORKFLOW_OF_ANOTHER: the workflow `w` was started by `ann`: only its starter, an operator, or a call that a person approved can act on it',
    );
    for (const allowed of [
      {name: 'ann', surface: 'http'},
      {name: 'olga', surface: 'http', is_operator: true as const},
      {name: 'mallory', surface: 'mcp', approval_request_id: 'apr-1'},
    ]) {
      expect(await run(tool, {workflow_id: 'w'}, allowed)).toMatchObject({workflow_id: 'w'});
    }
  }
});

it('of an agent accepts only that agent, not others of its name', async () => {
  const created = {
    type: 'created',
    at: '',
    definition: {nodes: [node('a')]},
    by: {name: 'agent', session_id: 'session-2'},
  };
  state = {'workflow/workflows/w': `${JSON.stringify(created)}\n`};
  const refused = await run(workflowCancel, {workflow_id: 'w'}, {name: 'agent', surface: 'agent'});
  expect(refused).toContain('WORKFLOW_OF_ANOTHER');
});
