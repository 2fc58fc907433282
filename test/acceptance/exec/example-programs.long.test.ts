// The programs of examples/programs on a real repository: each does its work.
import type {Host} from '@lumenflow/host';
import {resumeProgram, runProgram, type ProgramRun} from '@lumenflow/host/exec';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';

const examples = join(import.meta.dirname, '../../../examples/programs');
let workspace: HostWorkspace;
let host: Host;

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...identity, ...args], {cwd: workspace.root, encoding: 'utf8'}).trim();
}

function commit(message: string, files: Readonly<Record<string, string>>): void {
  workspace.write(files);
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

const dependencies = (...entries: readonly string[]): string =>
  JSON.stringify({dependencies: Object.fromEntries(entries.map((entry) => entry.split(' ')))});

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    copied: {release: join(examples, 'release-pack')},
    pins: {'software-delivery': {trust: 'in_process'}},
    files: {'.gitignore': '.lumenflow/\n'},
    spec: {
      software_delivery: {
        gates: {commands: {test: 'grep -q ready a.txt', lint: 'test ! -e ugly', old: 'test -e never'}},
      },
    },
  });
  git('init', '--quiet', '--initial-branch=main');
  commit('chore: begin', {'a.txt': 'ready\n', 'package.json': dependencies('left ^1.0.0', 'gone ^1.0.0')});
  git('tag', 'v1');
  commit('feat: add a letter', {'letter.txt': 'Dear Ada\n'});
  commit('fix(letter): greet Bob too', {'letter.txt': 'Dear Ada and Bob\n'});
  commit('Rename the draft', {'a.txt': 'draft\n'});
  host = await workspace.start({warmSandboxes: false});
});
afterAll(async () => await workspace.remove());

async function run(name: string, inputs: Record<string, unknown>): Promise<ProgramRun> {
  const program = {file: name, text: readFileSync(join(examples, name), 'utf8')};
  const found = await runProgram(host, {program, inputs, by: 'bob'});
  if (!found.ok) throw new Error(JSON.stringify(found.problem));
  return found.value;
}

async function asked({approvals: [request] = []}: ProgramRun): Promise<string | undefined> {
  const approval = host.runtime.listApprovals().find(({request_id}) => request_id === request);
  return await host.runtime.evidence.readBlob(approval?.input_ref ?? '');
}

async function approved({run_id, approvals = []}: ProgramRun): Promise<ProgramRun> {
  for (const request_id of approvals)
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'ann'});
  const found = await resumeProgram(host, {run_id, by: 'bob'});
  if (!found.ok) throw new Error(JSON.stringify(found.problem));
  return found.value;
}

test('release notes are written once a person has approved them', async () => {
  const waiting = await run('release-notes.yaml', {from: 'v1', title: 'Version 2'});
  expect(waiting).toMatchObject({state: 'waiting'});
  expect(await approved(waiting)).toMatchObject({state: 'succeeded', value: {path: 'RELEASE-NOTES.md', commits: 3}});
  const notes = readFileSync(join(workspace.root, 'RELEASE-NOTES.md'), 'utf8').replaceAll(/\([\da-f]{8}\)/gu, '(sha)');
  expect(notes).toBe(
    '# Version 2\n\n## Features\n\n- feat: add a letter (sha)\n\n## Fixes\n\n- fix(letter): greet Bob too (sha)\n\n## Other changes\n\n- Rename the draft (sha)\n\n',
  );
});

test('failing gates are new, known or unsteady', async () => {
  const result = await run('failing-tests.yaml', {base: 'v1'});
  expect(result.error).toBeUndefined();
  expect(result).toMatchObject({
    state: 'succeeded',
    value: {
      failing: 2,
      verdicts: expect.arrayContaining([
        {name: 'test', verdict: 'new'},
        {name: 'old', verdict: 'known'},
      ]) as unknown,
    },
  });
  expect(readFileSync(join(workspace.root, 'TRIAGE.md'), 'utf8')).toMatch(
    /## test: new[^]*## Commits since v1\n\n- [\da-f]{8} Rename the draft/u,
  );
});

test('new and unpinned dependencies need a person', async () => {
  expect(await run('dependency-review.yaml', {base: 'v1'})).toMatchObject({
    state: 'succeeded',
    value: {added: [], removed: [], changed: [], unpinned: []},
  });
  workspace.write({'package.json': dependencies('left ^2.0.0', 'right *')});
  const waiting = await run('dependency-review.yaml', {base: 'v1'});
  expect(waiting).toMatchObject({state: 'waiting'});
  expect(await asked(waiting)).toContain('Accept 1 new dependency (right *)? Not pinned to a range: right');
  expect(await approved(waiting)).toMatchObject({
    state: 'succeeded',
    value: {
      added: [{name: 'right', range: '*', group: 'dependencies'}],
      removed: [{name: 'gone', range: '^1.0.0'}],
      changed: [{name: 'left', from: '^1.0.0', range: '^2.0.0'}],
      unpinned: ['right'],
    },
  });
});
