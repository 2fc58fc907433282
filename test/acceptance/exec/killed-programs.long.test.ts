// A program whose process is killed at the beginning and the end of each step, and while its tools run. It continues from the
// evidence: nothing is repeated, nothing is lost, and calls with an unknown outcome are left to a person.
import type {ProgramRun} from '@lumenflow/host/exec';
import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';

const driver = join(import.meta.dirname, '../../support/program-process.mjs');
const text = `
name: notes
steps:
  - foreach: "['one', 'two']"
    item: word
    max: 2
    steps: [{call: note:add, args: {path: log.md, line: "\${word}"}, as: added}]
    collect: "\${added.lines}"
    as: lines
  - {wait_for_approval: "Go on after \${size(lines)} lines?"}
  - parallel:
      - [{call: note:add, args: {path: left.md, line: left}}]
      - [{call: note:add, args: {path: right.md, line: right}}]
  - try: [{retry: 2, steps: [{call: note:read, args: {path: missing.md}}]}, {let: {failed: none}}]
    catch: [{let: {failed: "\${error.step}"}}]
    finally: [{call: note:add, args: {path: log.md, line: last}}]
  - {call: note:read, args: {path: log.md}, as: log}
  - return: {log: "\${log}", lines: "\${lines}", failed: "\${failed}"}
`;

let workspace: HostWorkspace;
beforeAll(() => {
  workspace = makeHostWorkspace({
    copied: {notes: join(import.meta.dirname, '../../support/notes-pack')},
    pins: {notes: {trust: 'in_process'}},
  });
});
afterAll(async () => await workspace.remove());

interface Answer {
  readonly request_id: string;
  readonly approved: boolean;
}

interface Life {
  readonly said: string;
  readonly run?: ProgramRun;
}

function live(answers: readonly Answer[]): Life {
  const {root} = workspace;
  const argument = JSON.stringify({root, file: 'notes.yaml', text, killed: join(root, 'killed'), answers});
  const {stdout, stderr} = spawnSync(process.execPath, [driver, argument], {encoding: 'utf8'});
  if (stdout === '') return {said: stderr};
  const found = JSON.parse(stdout) as {readonly ok: boolean; readonly value: ProgramRun};
  return {said: found.ok ? stderr : stdout, run: found.value};
}

function linesOf(file: string): readonly string[] {
  const path = join(workspace.root, file);
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
}

/** A person looks whether the line of the call is there. */
function answersTo({state, approvals = [], steps}: ProgramRun): readonly Answer[] {
  if (state === 'waiting') return approvals.map((request_id) => ({request_id, approved: true}));
  return ambiguousCalls(steps).map(({step, request_id = ''}) => ({request_id, approved: effects[step]?.() ?? false}));
}

/** Not the steps that contain them. */
function ambiguousCalls(steps: ProgramRun['steps']): ProgramRun['steps'] {
  return steps.filter(({state, kind}) => state === 'ambiguous' && kind === 'call');
}

const effects: Readonly<Record<string, () => boolean>> = {
  '/steps/0[0]/steps/0': () => linesOf('log.md').includes('one'),
  '/steps/0[1]/steps/0': () => linesOf('log.md').includes('two'),
  '/steps/2/parallel/0/0': () => linesOf('left.md').includes('left'),
  '/steps/2/parallel/1/0': () => linesOf('right.md').includes('right'),
  '/steps/3/finally/0': () => linesOf('log.md').includes('last'),
};

test('killed at every step, it has each effect once', () => {
  let answers: readonly Answer[] = [];
  let last: Life | undefined;
  const settled: string[] = [];
  for (let lives = 0; lives < 90 && last?.run?.state !== 'succeeded'; lives += 1) {
    last = live(answers);
    expect(last.said).toBe('');
    answers = last.run ? answersTo(last.run) : [];
    settled.push(...ambiguousCalls(last.run?.steps ?? []).map(({step}) => step));
  }
  expect(last?.run).toMatchObject({
    state: 'succeeded',
    value: {log: 'one\ntwo\nlast\n', failed: '/steps/3/try/0[1]/steps/0'},
  });
  expect(linesOf('log.md')).toEqual(['one', 'two', 'last']);
  expect(linesOf('left.md')).toEqual(['left']);
  expect(linesOf('right.md')).toEqual(['right']);
  const killed = linesOf('killed');
  expect(killed).toEqual(expect.arrayContaining(['running /steps/0', 'succeeded /steps/4', 'succeeded /steps/5']));
  // Killed while the tool ran, before its outcome: never repeated by itself.
  for (const step of Object.keys(effects)) if (killed.includes(`progress ${step}`)) expect(settled).toContain(step);
  expect(killed.filter((point) => point.startsWith('progress '))).not.toEqual([]);
}, 1_200_000);
