// A team's own commands under governance: examples/team-cli unchanged, in the real sandbox. Each prints the same as in its own
// process, and has receipts like any tool.
import type {Host, Session} from '@lumenflow/host';
import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import {copyPackage} from '../../support/copy-package.ts';
import {codeOf, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const example = join(import.meta.dirname, '../../../examples/team-cli');
const {packs: _, ...spec} = parse(readFileSync(join(example, 'workspace.yaml'), 'utf8')) as Record<string, unknown>;

let workspace: HostWorkspace;
let host: Host;
let session: Session;
beforeAll(async () => {
  workspace = makeHostWorkspace({
    spec,
    firstParty: ['software-delivery'],
    pins: {'software-delivery': {trust: 'in_process'}},
  });
  for (const path of ['src', 'team.mjs', 'product.json', 'CODEOWNERS']) {
    cpSync(join(example, path), join(workspace.root, path), {recursive: true});
  }
  copyPackage('commander', example, join(workspace.root, 'node_modules'));
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  for (const subject of ['feat: orders', 'fix: totals', 'feat: größe']) {
    git('commit', '--quiet', '--allow-empty', '--message', subject);
  }
  host = await workspace.start();
  session = opened(await host.openSession({by: 'ada', lane: 'main'}));
});
afterAll(async () => await workspace.remove());

function git(...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...who, ...args], {cwd: workspace.root, encoding: 'utf8'});
}

/** The command in its own process, as the team has always run it. */
function runPlain(command: string, args: readonly string[], input = ''): object {
  const {status, stdout, stderr} = spawnSync(process.execPath, ['team.mjs', command, ...args], {
    cwd: workspace.root,
    input,
    encoding: 'utf8',
  });
  return {status, stdout, stderr};
}

const text = (path: string): string => readFileSync(join(workspace.root, path), 'utf8');

describe('a command', () => {
  it.each([
    {command: 'changelog', args: ['--limit', '2']},
    {command: 'contributors', args: []},
    {command: 'words', args: ['--top', '2'], stdin: 'ein Fuß und ein Schuh und ein Hut'},
    {command: 'debts', args: ['--max', '1']},
    {command: 'owners', args: ['src/release.mjs']},
    {command: 'versions', args: ['--json']},
    {command: 'versions', args: ['--help']},
    {command: 'progress', args: []},
  ])('prints what it prints elsewhere: $command $args', async ({command, args, stdin}) => {
    const ran = await must(session, 'cli:run', {command, args, ...(stdin !== undefined && {stdin})});
    expect(ran).toMatchObject({...runPlain(command, args, stdin), command, permission: 'read', truncated: false});
    expect(ran['status']).toBe(0);
  });

  it('changes the files that it changes', async () => {
    expect(await must(session, 'cli:run', {command: 'bump', args: ['minor']})).toMatchObject({stdout: '1.5.0\n'});
    expect(JSON.parse(text('product.json'))).toMatchObject({version: '1.5.0'});
    workspace.write({'draft.md': 'one  \ntwo\t\n'});
    await must(session, 'cli:run', {command: 'tidy', args: ['draft.md']});
    expect(text('draft.md')).toBe('one\ntwo\n');
    await must(session, 'cli:run', {command: 'note', args: ['call', 'Bob']});
    expect(text('NOTES.md')).toBe('- call Bob\n');
  });

  it('that fails reports the cause, with its output', async () => {
    const {error} = await session.call('cli:run', {command: 'owners', args: ['secret.txt']});
    const plain = runPlain('owners', ['secret.txt']);
    expect(error).toMatchObject({code: 'CLI_FAILED', details: plain});
    expect(plain).toMatchObject({status: 1, stderr: 'error: secret.txt has no owner\n'});
  });

  it('is checked against its arguments’ schema and runs nothing in a dry run', async () => {
    expect(await codeOf(session, 'cli:run', {command: 'owners', args: ['--help']})).toBe('CLI_ARGUMENTS_INVALID');
    const before = text('product.json');
    expect(await must(session, 'cli:run', {command: 'bump', args: ['patch'], dry_run: true})).toEqual({
      command: 'bump',
      permission: 'write',
      args: ['patch'],
      dry_run: true,
    });
    expect(text('product.json')).toBe(before);
  });
});

describe('governance', () => {
  it('keeps a record of the call and of what ran in it, as of every tool', async () => {
    const output = await session.call('cli:run', {command: 'versions', args: []});
    const receiptId = output.metadata?.receipt_id ?? '';
    const asked = await host.runtime.evidence.receipt(receiptId);
    const {receipts} = await host.runtime.evidence.readTraces({tool_name: 'cli:run-read', limit: 1});
    const [ran] = receipts;
    expect(ran?.started).toMatchObject({tool_name: 'cli:run-read', parent_receipt_id: receiptId});
    expect(ran?.finished?.result).toBe('success');
    const words = (receipt: typeof asked): readonly string[] => Object.keys(receipt?.started ?? {});
    const direct = await session.call('cli:list', {});
    const listed = await host.runtime.evidence.receipt(direct.metadata?.receipt_id ?? '');
    expect(words(asked)).toEqual(expect.arrayContaining([...words(listed)]));
    expect(words(ran)).toEqual(expect.arrayContaining([...words(listed)]));
  });

  it('runs a command of permission read in a sandbox that only reads', async () => {
    workspace.write({
      'src/versions.mjs': `import {writeFileSync} from 'node:fs';
      export function main() { writeFileSync('product.json', 'x'); }`,
    });
    const before = text('product.json');
    const {error} = await session.call('cli:run', {command: 'versions'});
    expect(error).toMatchObject({code: 'CLI_FAILED', message: expect.stringContaining('EROFS') as string});
    expect(text('product.json')).toBe(before);
  });

  it('lets policy look at the command and its arguments', async () => {
    const before = text('product.json');
    const {error} = await session.call('cli:run', {command: 'bump', args: ['major']});
    expect(error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'no-major-versions'}});
    expect(text('product.json')).toBe(before);
  });

  it('makes an admin command wait for a person, and allows it once', async () => {
    const release = () => session.call('cli:run', {command: 'release'});
    const {error} = await release();
    expect(error?.code).toBe('APPROVAL_REQUIRED');
    expect(git('tag')).toBe('');
    await host.runtime.resolveApproval({
      request_id: String(error?.details?.['request_id']),
      approved: true,
      approved_by: 'bob',
    });
    expect(await release()).toMatchObject({data: {stdout: 'tagged v1.5.0\n', permission: 'admin'}});
    expect(git('tag')).toBe('v1.5.0\n');
    expect((await release()).error?.code).toBe('APPROVAL_REQUIRED');
  });

  it('offers only what is declared, and no back door to it', async () => {
    expect(await codeOf(session, 'cli:run', {command: '../src/bump'})).toBe('CLI_COMMAND_NOT_FOUND');
    expect(await codeOf(session, 'cli:run-write', {command: 'bump', args: ['patch']})).not.toBe('success');
    const listed = await must(session, 'cli:list', {permission: 'admin'});
    expect(listed).toMatchObject({root: 'src', commands: [{command: 'release', permission: 'admin'}]});
  });
});
