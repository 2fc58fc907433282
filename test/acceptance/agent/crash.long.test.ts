// A session whose process is killed at each of its ten steps, at another point each time. It continues from the evidence, no
// effect happens twice, and unknown outcomes are left to a person.
import type {AgentRun} from '@lumenflow/host';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';

const steps = 10;
const lines = Array.from({length: steps}, (_, index) => `line ${index}`);
const turns = [
  ...lines.map((line) => ({intent: 'notes', requested_tools: [{name: 'note:add', input: {path: 'log.md', line}}]})),
  {status: 'complete', content: 'Ten.'},
];
const points = ['turn_started', 'turn_finished', 'call_started', 'call_progress', 'call_finished'];
const killAt = lines.map((_, index) => `${points[index % points.length]} ${index}`);
const program = join(import.meta.dirname, '../../support/agent-process.mjs');

let workspace: HostWorkspace;
beforeAll(() => {
  workspace = makeHostWorkspace({
    firstParty: ['agent-runtime'],
    copied: {notes: join(import.meta.dirname, '../../support/notes-pack')},
    pins: {notes: {trust: 'in_process'}},
    files: {'agents/ten.json': JSON.stringify({turns})},
    spec: {
      agent_runtime: {
        default_model: 'ten',
        models: {ten: {provider: 'scripted', model: 'ten', script: 'agents/ten.json'}},
        intents: {notes: {allow_tools: ['note:add']}},
      },
    },
  });
});
afterAll(async () => await workspace.remove());

interface Life {
  readonly signal: string | null;
  readonly run?: AgentRun;
  readonly said: string;
}

function live(decisions?: readonly object[]): Life {
  const killed = join(workspace.root, 'killed');
  const argument = JSON.stringify({root: workspace.root, session_id: 'ten', killAt, killed, decisions});
  const {signal, stdout, stderr} = spawnSync(process.execPath, [program, argument], {encoding: 'utf8'});
  return {signal, ...(stdout !== '' && {run: JSON.parse(stdout) as AgentRun}), said: stderr};
}

function linesNow(): readonly string[] {
  const log = join(workspace.root, 'log.md');
  return existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
}

test('killed at each of ten steps, it adds each of ten lines once', () => {
  let decisions: readonly object[] | undefined;
  const ambiguous: string[] = [];
  let last: Life | undefined;
  for (let lives = 0; lives < 30 && last?.run?.outcome !== 'complete'; lives++) {
    last = live(decisions);
    expect(last.said).toBe('');
    decisions = undefined;
    if (last.run?.outcome !== 'ambiguous') continue;
    const [turn = '', call] = last.run.ambiguous_call?.split('/') ?? [];
    ambiguous.push(turn);
    // A person looks whether the line is there.
    decisions = [{turn_index: Number(turn), tool_call_id: call, happened: linesNow().includes(`line ${turn}`)}];
  }
  expect(last?.run).toMatchObject({status: 'ended', outcome: 'complete', turns: steps + 1});
  const killed = join(workspace.root, 'killed');
  expect(existsSync(killed) ? readFileSync(killed, 'utf8').trimEnd().split('\n') : []).toEqual(killAt);
  expect(linesNow()).toEqual([...lines, '']);
  // Killed while the tool runs, before its outcome: twice in ten.
  expect(ambiguous).toEqual(['3', '8']);
}, 300_000);
