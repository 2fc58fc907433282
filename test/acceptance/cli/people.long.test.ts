// In a workspace with `sign_in`, each command that records a name records the person who signed in.
import type {KernelEvent} from '@lumenflow/schemas';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {deviceLogin} from '../../support/device-login.ts';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {ended, runCommand, startProgram, type Ran} from '../../support/lumenflow-program.ts';
import {startTestIssuer, type TestIssuer} from '../../support/test-issuer.ts';

let issuer: TestIssuer;
let workspace: HostWorkspace;
beforeEach(async () => {
  issuer = await startTestIssuer(['http://127.0.0.1:1/signed-in']);
  const rule = {trigger: 'on_tool_request', decision: 'approval_required', reason: 'looked at'} as const;
  workspace = makeHostWorkspace({
    files: {'README.md': 'Hello\n'},
    firstParty: ['software-delivery'],
    spec: {
      sign_in: {...issuer.settings, roles: {admin: ['platform'], operator: ['staff']}},
      policies: {
        default_decision: 'allow',
        rules: [
          {...rule, id: 'asked', when: {tool: 'file:write', writes: 'asked.txt'}},
          {...rule, id: 'parked', trigger: 'on_changes', when: {changes: {any: {path: 'parked.txt'}}}},
        ],
      },
    },
  });
});
afterEach(async () => {
  await workspace.remove();
  await issuer.close();
});

const options = (): {readonly cwd: string; readonly env: Readonly<Record<string, string>>} => ({
  cwd: workspace.root,
  env: issuer.env,
});

const run = async (...args: readonly string[]): Promise<Ran> => await runCommand(args, options());

async function json<T>(...args: readonly string[]): Promise<T> {
  const ran = await run(...args, '--json');
  expect(ran.stderr).toBe('');
  return JSON.parse(ran.stdout) as T;
}

interface Called {
  readonly error?: {readonly details: {readonly request_id: string}};
  readonly receipt_id: string;
}

function events(): readonly KernelEvent[] {
  const folder = join(workspace.root, '.lumenflow', 'kernel', 'events');
  const segments = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return segments
    .toSorted()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as KernelEvent);
}

/** Of persons and programs. The host itself ends what sessions leave. */
const recordedAfter = (seq: number): readonly KernelEvent[] =>
  events()
    .slice(seq)
    .filter(({actor}) => actor !== 'lumenflow' && !actor.startsWith('kernel.'));

function expectTypes(recorded: readonly KernelEvent[], ...types: readonly KernelEvent['type'][]): void {
  expect(new Set(recorded.map(({actor}) => actor))).toEqual(new Set(['lea']));
  expect(recorded.map(({type}) => type)).toEqual(expect.arrayContaining([...types]));
}

test('tasks', async () => {
  expect(await deviceLogin(issuer, options(), 's-1')).toMatchObject({name: 'lea'});
  const before = events().length;
  await run('task', 'create', 'one');
  await run('task', 'claim', 'one');
  await run('task', 'block', 'one', '--reason', 'waits');
  await run('task', 'unblock', 'one');
  await run('task', 'release', 'one', '--reason', 'later');
  await run('task', 'claim', 'one');
  await run('task', 'complete', 'one');
  const recorded = recordedAfter(before);
  expectTypes(recorded, 'task_created', 'task_claimed', 'task_blocked', 'task_unblocked');
  expectTypes(recorded, 'task_released', 'task_completed');
});

test('withdrawals, discarded and reverted changes, redactions and pack approvals', async () => {
  expect(await deviceLogin(issuer, options(), 's-1')).toMatchObject({name: 'lea'});
  // A person cannot reject changes that the same person asked for.
  const parked = await json<Called>('tools', 'call', 'file:write', 'path=parked.txt', 'content=x', '--as', 'agent-1');
  const before = events().length;
  const asked = await json<Called>('tools', 'call', 'file:write', 'path=asked.txt', 'content=x');
  await run('approvals', 'withdraw', asked.error?.details.request_id ?? '');
  await run('changes', 'discard', parked.receipt_id);
  const written = await json<Called>('tools', 'call', 'file:write', 'path=b.txt', 'content=x');
  const reverted = await json<Called>('changes', 'revert', written.receipt_id);
  await run('evidence', 'redact', written.receipt_id, '--reason', 'private');
  expect((await run('pack', 'approve', 'software-delivery')).stderr).toContain('lea approved software-delivery');
  const recorded = recordedAfter(before);
  expectTypes(recorded, 'approval_withdrawn', 'changes_settled', 'evidence_redacted');
  const person = {issuer: issuer.url, subject: 's-1', display_name: 'lea Example'};
  expect(recorded.find(({type}) => type === 'changes_settled')).toMatchObject({person});
  const shown = JSON.stringify(await json('evidence', 'show', reverted.receipt_id));
  expect(shown).toContain('"subject":"s-1"');
  // Intact, but a content was redacted.
  expect((await run('evidence', 'verify')).code).toBe(6);
});

test('a name of a person needs the sign-in of this person', async () => {
  expect((await run('task', 'create', 'one', '--as', 'lea')).code).toBe(0);
  await deviceLogin(issuer, options(), 's-1');
  expect((await run('task', 'create', 'two', '--as', 'lea')).code).toBe(0);
  expect((await run('task', 'create', 'three', '--as', 'agent-1')).code).toBe(0);
  await run('logout');
  for (const name of ['lea', 'LEA']) {
    const refused = await run('task', 'create', 'four', '--as', name);
    expect(refused.stderr).toContain(`SIGN_IN_REQUIRED  \`${name}\` is the name of a person that signs in`);
    expect(refused.stderr).toContain('lumenflow login');
  }
  const env = {...issuer.env, LUMENFLOW_ACTOR: 'lea'};
  expect((await runCommand(['task', 'create', 'four'], {...options(), env})).stderr).toContain('SIGN_IN_REQUIRED');
  expect((await run('pack', 'approve', 'software-delivery')).stderr).toContain('SIGN_IN_REQUIRED');
  expect((await run('tools', 'list', '--json')).code).toBe(0);
  const token = await run('token', 'create', 'Lea');
  expect(token.stderr).toContain('NAME_TAKEN  `Lea` is the name of a person that signs in');
  expect(token.stderr).toContain('lumenflow login');
});

test('a client of MCP works for the person, and ends with the sign-in', async () => {
  await deviceLogin(issuer, options(), 's-1');
  const client = startProgram(['mcp'], options());
  const over = ended(client);
  const send = (message: object): void => void client.stdin?.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`);
  const clientInfo = {name: 'test', version: '1'};
  send({id: 1, method: 'initialize', params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo}});
  send({method: 'notifications/initialized'});
  const called = new Promise<void>((resolve) => {
    client.stdout?.on('data', (chunk: string) => chunk.includes('"id":2') && resolve());
  });
  send({id: 2, method: 'tools/call', params: {name: 'file_read', arguments: {path: 'README.md'}}});
  await called;
  const {receipts} = await json<{readonly receipts: readonly {readonly started: object}[]}>('evidence', 'list');
  expect(JSON.stringify(receipts)).toContain('"subject":"s-1"');
  await run('people', 'sign-out', 'lea');
  expect((await over).code).toBe(0);
});
