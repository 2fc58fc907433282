// Changes on the command line: shown before they happen, parked, approved by their diff, kept after a conflict.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {runCommand, type Ran} from '../../support/lumenflow-program.ts';

let workspace: HostWorkspace;
beforeEach(() => {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, '../host/transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 10}],
      policies: {
        default_decision: 'allow',
        rules: [
          {
            id: 'ask-infra',
            trigger: 'on_changes',
            decision: 'approval_required',
            when: {changes: {any: {path: 'infra/**'}}},
          },
        ],
      },
    },
    files: {'docs/a.md': 'one\ntwo\n', 'infra/main.tf': 'old\n'},
  });
});
afterEach(async () => await workspace.remove());

const run = async (...args: readonly string[]): Promise<Ran> => await runCommand(args, {cwd: workspace.root});
const write = async (path: string, text: string, ...options: readonly string[]): Promise<Ran> =>
  await run('tools', 'call', 'held:write', '--as', 'ann', ...options, '-i', JSON.stringify({files: {[path]: text}}));
const read = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');

test('a dry run prints the diff and changes nothing', async () => {
  const {code, stdout} = await write('docs/a.md', 'one\n2\n', '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain('modify docs/a.md');
  expect(stdout.split('\n')).toEqual(expect.arrayContaining([' one', '-two', '+2']));
  expect(read('docs/a.md')).toBe('one\ntwo\n');
});

test('an explanation names the rules that judge what the call changed', async () => {
  const {stdout} = await run('policy', 'explain', 'held:write', '-i', '{"files": {}}');
  expect(stdout).toMatch(/^CHECKS THE CHANGES OF THE CALL BEFORE THEY ARE APPLIED\n +approval_required +ask-infra/mu);
});

test('parked changes are shown as a diff and applied by their approval', async () => {
  const parked = await write('infra/main.tf', 'new\n');
  expect(parked.code).toBe(3);
  expect(parked.stderr).toContain('CHANGES_PARKED');
  const listed = await run('changes', 'list', '--json');
  const [kept] = (JSON.parse(listed.stdout) as {changes: {receipt_id: string; request_id: string}[]}).changes;
  if (kept === undefined) throw new Error(listed.stdout);
  const {receipt_id, request_id} = kept;
  for (const args of [
    ['changes', 'show', receipt_id],
    ['approvals', 'show', request_id],
  ]) {
    const shown = await run(...args);
    expect(shown.stdout.split('\n')).toEqual(expect.arrayContaining(['modify infra/main.tf', '-old', '+new']));
  }
  const early = await run('changes', 'apply', receipt_id, '--as', 'bob');
  expect(early).toMatchObject({code: 3});
  expect(read('infra/main.tf')).toBe('old\n');
  expect((await run('approvals', 'approve', request_id, '--as', 'bob')).code).toBe(0);
  expect(read('infra/main.tf')).toBe('new\n');
  expect((await run('changes', 'show', receipt_id)).stdout).toMatch(/state\s+applied/);
});

test('parked changes are discarded, and a call without changes has none to show', async () => {
  await write('infra/main.tf', 'new\n');
  const listed = await run('changes', 'list', '--json');
  const [kept] = (JSON.parse(listed.stdout) as {changes: {receipt_id: string}[]}).changes;
  const discarded = await run('changes', 'discard', kept?.receipt_id ?? '', '--as', 'bob', '--reason', 'not now');
  expect(discarded.code).toBe(0);
  expect((await run('changes', 'list')).stderr).toContain('no changes wait');
  expect(read('infra/main.tf')).toBe('old\n');
});

test('changes that cannot be applied are a failure, and stay', async () => {
  await write('infra/main.tf', 'new\n');
  const [kept] = JSON.parse((await run('changes', 'list', '--json')).stdout).changes as {
    receipt_id: string;
    request_id: string;
  }[];
  workspace.write({'infra/main.tf': 'by hand\n'});
  const approved = await run('approvals', 'approve', kept?.request_id ?? '', '--as', 'bob');
  expect(approved.code).toBe(1);
  expect(approved.stderr).toMatch(/WRITE_CONFLICT[^]*`infra\/main\.tf` changed since the call/u);
  const applied = await run('changes', 'apply', kept?.receipt_id ?? '', '--as', 'bob');
  expect(applied.code).toBe(1);
  expect(applied.stderr).toMatch(/WRITE_CONFLICT[^]*`infra\/main\.tf` changed since the call/u);
  expect((await run('changes', 'list')).stdout).toContain('conflict');
});

test('a dry run shows a call’s changes in reverse; a revert undoes them, and is refused after another edit', async () => {
  const receiptOf = ({stdout}: Ran): string => (JSON.parse(stdout) as {receipt_id: string}).receipt_id;
  const receipt = receiptOf(await write('docs/a.md', 'one\n2\n', '--json'));
  const dry = await run('changes', 'revert', receipt, '--dry-run', '--as', 'ann');
  expect(dry.code).toBe(0);
  expect(dry.stdout.split('\n')).toEqual(expect.arrayContaining(['modify docs/a.md', '-2', '+two']));
  expect(read('docs/a.md')).toBe('one\n2\n');
  const reverted = await run('changes', 'revert', receipt, '--json', '--as', 'ann');
  expect(reverted.code).toBe(0);
  expect(read('docs/a.md')).toBe('one\ntwo\n');
  expect((await run('changes', 'show', receipt)).stdout).toContain(`reverted by  ${receiptOf(reverted)}`);
  expect((await run('changes', 'show', receiptOf(reverted))).stdout).toMatch(new RegExp(`reverts +${receipt}`));
  const twice = await run('changes', 'revert', receipt);
  expect(twice.code).toBe(1);
  expect(twice.stderr).toContain('WRITE_CONFLICT');
  expect(twice.stderr).toContain('docs/a.md');
});
