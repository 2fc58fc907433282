// What the conformance suite needs to know of the agent pack: a model that is played from a file, and journals to work on.
import type {ConformanceOptions} from '@lumenflow/host/testing';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const at = '2026-01-01T00:00:00.000Z';
// `test` makes the suite's calls, and may act on what it started itself.
const by = {name: 'test', session_id: 'earlier'};
const session = {type: 'created', at, reason: 'created', brief: {task: 'Say hello'}, by};
const workflow = {type: 'created', at, definition: {nodes: [{node_id: 'a', task: 'A', approval_required: true}]}, by};

export const agentConformance: ConformanceOptions = {
  files: {'demo.yaml': 'turns: [{content: Hello}]\n'},
  config: {default_model: 'demo', models: {demo: {provider: 'scripted', model: 'demo-1', script: 'demo.yaml'}}},
  prepare(root) {
    const folder = join(root, '.agent-runtime');
    rmSync(folder, {recursive: true, force: true});
    for (const name of ['sessions', 'workflows']) mkdirSync(join(folder, 'workflow', name), {recursive: true});
    writeFileSync(join(folder, 'workflow/sessions/standing'), `${JSON.stringify(session)}\n`);
    writeFileSync(join(folder, 'workflow/workflows/standing'), `${JSON.stringify(workflow)}\n`);
  },
  examples: {
    'agent:execute-turn': [{session_id: 's-1', messages: [{role: 'user', content: 'Hello'}]}],
    'agent-session:start': [{session_id: 'fresh', task: 'Say hello'}],
    'agent-session:resume': [{session_id: 'standing', message: 'Go on.'}],
    'agent-session:status': [{session_id: 'standing'}],
    'agent-session:list': [{}, {status: 'ready'}],
    'agent-session:cancel': [{session_id: 'standing', reason: 'enough'}],
    'agent-workflow:start': [
      {
        workflow_id: 'fresh',
        nodes: [
          {node_id: 'a', task: 'A'},
          {node_id: 'b', task: 'B', depends_on: [{node_id: 'a'}]},
        ],
      },
    ],
    'agent-workflow:status': [{workflow_id: 'standing'}],
    'agent-workflow:resume': [{workflow_id: 'standing'}],
    'agent-workflow:cancel': [{workflow_id: 'standing'}],
    'agent-workflow:approve-node': [{workflow_id: 'standing', node_id: 'a'}],
    'agent-schedule:due': [{}],
  },
  exempt: {'agent-session:settle': "it answers only within the session's own task"},
};
