// `lumenflow agent` as its user runs it: a session that waits for an approval, continues, is listed and decided again.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {runCommand} from '../../support/lumenflow-program.ts';

const turns = [
  {intent: 'notes', content: 'I look.', requested_tools: [{name: 'note:read', input: {path: 'notes.md'}}]},
  {
    intent: 'notes',
    requested_tools: [
      {name: 'note:delete', input: {path: 'notes.md'}},
      {name: 'note:add', input: {path: 'notes.md', line: 'eggs'}},
    ],
  },
  {status: 'complete', content: 'Added.'},
];

let workspace: HostWorkspace;
beforeAll(() => {
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime'],
    copied: {notes: join(import.meta.dirname, '../../support/notes-pack')},
    pins: {notes: {trust: 'in_process'}},
    files: {'agent.json': JSON.stringify({turns}), 'notes.md': 'milk\n'},
    spec: {
      agent_runtime: {
        default_model: 'demo',
        models: {demo: {provider: 'scripted', model: 'demo', script: 'agent.json'}},
        intents: {notes: {allow_tools: ['note:read'], approval_required_tools: ['note:add']}},
      },
    },
  });
});
afterAll(async () => await workspace.remove());

async function json(...args: readonly string[]): Promise<{code: number | null; document: Record<string, unknown>}> {
  const {code, stdout} = await runCommand([...args, '--json'], {cwd: workspace.root});
  return {code, document: JSON.parse(stdout) as Record<string, unknown>};
}

test('a session runs, waits, continues, is listed and is replayed', async () => {
  const ran = await runCommand(['agent', 'run', 'Add eggs'], {cwd: workspace.root});
  expect(ran.code).toBe(3);
  const reported = ran.stderr.split('\n').map((line) => line.trimEnd());
  expect(reported.filter((line) => line.length > 80 && !line.startsWith('!') && !line.includes('lumenflow '))).toEqual(
    [],
  );
  expect(ran.stderr).toMatch(
    /turn 1\n {2}I look\.\n {2}✔ note:read path=notes\.md .*\nturn 2\n {2}✘ note:delete path=notes\.md\n {4}POLICY_DENIED/u,
  );
  expect(ran.stderr).toMatch(/● note:add line=eggs path=notes\.md|● note:add path=notes\.md line=eggs/u);
  expect(ran.stdout).toMatch(/note:add\s+agent\s+denied\s+APPROVAL_REQ/u);
  const [, request = ''] = /approvals approve (\S+)/u.exec(ran.stderr) ?? [];
  const [, session = ''] = /agent resume (\S+)/u.exec(ran.stderr) ?? [];

  expect(await json('approvals', 'approve', request, '--as', 'ada')).toMatchObject({code: 0});
  const resumed = await json('agent', 'resume', session);
  expect(resumed).toMatchObject({
    code: 0,
    document: {ok: true, session_id: session, status: 'ended', outcome: 'complete', turns: 3},
  });
  expect((await json('agent', 'list')).document).toMatchObject({
    sessions: [{session_id: session, outcome: 'complete', task: 'Add eggs'}],
  });
  expect(await json('agent', 'resume', session)).toMatchObject({code: 1, document: {error: {code: 'SESSION_OVER'}}});

  workspace.write({
    'workspace.yaml': Object.entries({
      ...workspace.spec,
      agent_runtime: {...Object(workspace.spec['agent_runtime']), intents: {notes: {allow_tools: ['note:add']}}},
    })
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
      .join(''),
  });
  const {document} = await json('agent', 'replay', session);
  const calls = document['calls'] as readonly {tool_name: string; recorded: string; today: string}[];
  expect(calls.map(({tool_name, recorded, today}) => [tool_name, recorded, today])).toEqual([
    ['note:read', 'success', 'deny'],
    ['note:delete', 'denied', 'deny'],
    ['note:add', 'approval_required', 'allow'],
    ['note:add', 'success', 'allow'],
  ]);
});

test.each([
  [['agent', 'replay', 'nobody'], 1, 'SESSION_NOT_FOUND'],
  [['agent', 'resume', 'nobody'], 1, 'SESSION_NOT_FOUND'],
  [['agent', 'resume', 'nobody', '--happened', 'x'], 2, 'INVALID_ARGUMENT'],
  [['agent', 'run', 'Do it', '--model', 'nobody'], 1, 'MODEL_NOT_CONFIGURED'],
] as const)('%j is reported as what it is', async (args, code, error) => {
  expect(await json(...args)).toMatchObject({code, document: {ok: false, error: {code: error}}});
});

test('without an agent pack, the error names the pack to install', async () => {
  const root = join(workspace.root, 'without-agents');
  mkdirSync(root);
  writeFileSync(
    join(root, 'workspace.yaml'),
    'id: without-agents\npacks: []\nlanes: [{id: main, allowed_scopes: []}]\nsecurity: {allowed_scopes: []}\npolicies: {default_decision: allow}\n',
  );
  const {code, stderr} = await runCommand(['agent', 'run', 'Do it'], {cwd: root});
  expect({code, stderr}).toMatchObject({code: 1, stderr: expect.stringContaining('TOOL_NOT_FOUND')});
  expect(stderr).toContain('pin the pack `agent-runtime`');
});
