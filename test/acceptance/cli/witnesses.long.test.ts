// Two witnesses as processes of others, and a workspace whose owner rewrites its log with its own key.
import type {ChildProcess} from 'node:child_process';
import {appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {
  assertBuilt,
  ended,
  initialize,
  makeFolder,
  runCommand,
  runCommandForJson,
  startProgram,
} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const cwd = join(folder.path, 'workspace');
const state = join(cwd, '.lumenflow');
const names = ['one', 'two'] as const;
const running = new Map<string, {readonly child: ChildProcess; readonly url: string; readonly key: string}>();
const run = (...args: string[]) => runCommand(args, {cwd});
const json = async (...args: string[]) => await runCommandForJson(args, {cwd});
const call = async (): Promise<void> => {
  expect((await run('tools', 'call', 'file:list')).code).toBe(0);
};

async function start(name: string): Promise<void> {
  const listen = running.get(name)?.url.replace('http://', '') ?? '127.0.0.1:0';
  const args = ['evidence', 'witness', 'serve', join(folder.path, name), '--listen', listen, '--json'];
  const child = startProgram(args, {cwd});
  let text = '';
  for await (const part of child.stdout ?? []) {
    text += String(part);
    const [, url] = /"url": ?"([^"]+)"/u.exec(text) ?? [];
    const [, key] = /"verifier_key": ?"([^"]+)"/u.exec(text) ?? [];
    if (url === undefined || key === undefined) continue;
    running.set(name, {child, url, key});
    return;
  }
  throw new Error(`the witness has not started: ${text}`);
}

async function kill(name: string): Promise<void> {
  const child = running.get(name)?.child;
  child?.kill('SIGKILL');
  if (child) await ended(child);
}

interface Verified {
  readonly code: number | null;
  readonly status: string;
  readonly findings: string;
}

async function verify(...options: string[]): Promise<Verified> {
  const {code, document} = await json('evidence', 'verify', ...options);
  const {status, findings} = document['report'] as {status: string; findings: readonly string[]};
  return {code, status, findings: findings.join('\n')};
}

beforeAll(async () => {
  assertBuilt();
  mkdirSync(cwd);
  await initialize(cwd);
  await call();
  const key = readFileSync(join(state, 'keys', 'evidence.pub'), 'utf8').trim();
  for (const name of names) {
    const made = await run('evidence', 'witness', 'init', join(folder.path, name), '--name', `${name}.example`);
    expect(made).toMatchObject({code: 0});
    expect((await run('evidence', 'witness', 'trust', join(folder.path, name), key)).stdout).toContain('2 more logs');
    await start(name);
  }
  const servers = names.map((name) => running.get(name)).map((each) => `{url: '${each?.url}', key: '${each?.key}'}`);
  appendFileSync(join(cwd, 'workspace.yaml'), `\nevidence: {witnesses: {servers: [${servers.join(', ')}]}}\n`);
});
afterAll(async () => {
  for (const name of names) await kill(name);
  folder.remove();
});

it('is not witnessed until the witnesses have cosigned, which a checkpoint waits for', async () => {
  expect(await verify()).toMatchObject({code: 8, status: 'unwitnessed'});
  const {document} = await json('evidence', 'checkpoint');
  expect(document['witnesses']).toHaveLength(4);
  expect(String(document['checkpoint']).match(/^— (?:one|two)\.example /gmu)).toHaveLength(2);
  expect(await verify()).toMatchObject({code: 0, status: 'verified'});
  expect((await run('state', 'doctor')).stdout).toContain('one.example cosigned');
});

it('a stranger verifies a copy and a proof with the keys of the witnesses', async () => {
  const keys = names.flatMap((name) => ['--witness', running.get(name)?.key ?? '']);
  cpSync(state, join(folder.path, 'copy'), {recursive: true});
  expect(await verify('--folder', join(folder.path, 'copy'), ...keys)).toMatchObject({code: 0});
  rmSync(join(folder.path, 'copy', 'kernel', 'evidence', 'cosigned'), {recursive: true});
  expect(await verify('--folder', join(folder.path, 'copy'), ...keys)).toMatchObject({code: 8});
  const {document} = await json('evidence', 'list');
  const [receipt] = document['receipts'] as {receipt_id: string}[];
  expect((await run('evidence', 'prove', receipt!.receipt_id, '--out', 'proof.json')).code).toBe(0);
  const verifyProof = async (...options: string[]) => {
    const own = readFileSync(join(state, 'keys', 'evidence.pub'), 'utf8').trim();
    return (await run('evidence', 'verify', '--proof', 'proof.json', '--key', own, ...options)).code;
  };
  expect(await verifyProof(...keys)).toBe(0);
  const other = await json('evidence', 'witness', 'init', join(folder.path, 'other'), '--name', 'other.example');
  const stranger = ['--witness', String(other.document['verifier_key'])];
  expect(await verifyProof(...keys, ...stranger)).toBe(8);
  expect(await verifyProof(...keys, ...stranger, '--witnesses', '2')).toBe(0);
  expect(await verifyProof(...keys, '--witnesses', '3')).toBe(1);
});

it('a workspace.yaml that is not valid does not free the evidence of its witnesses', async () => {
  const path = join(cwd, 'workspace.yaml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `${text}\nlanes: [\n`);
  const {code, document} = await json('evidence', 'verify');
  expect({code, error: document['error']}).toMatchObject({code: 1, error: {code: 'LOAD_FAILED'}});
  writeFileSync(path, text);
});

it('a bundle has the cosignatures', async () => {
  expect((await run('evidence', 'export', '--bundle', 'bundle')).code).toBe(0);
  for (const log of ['records', 'events']) {
    const note = readFileSync(join(cwd, 'bundle', `${log}.checkpoint`), 'utf8');
    expect(note.match(/^— (?:one|two)\.example /gmu)).toHaveLength(2);
  }
});

it('a witness that is down stops no call, and continues with what it knew after it was killed', async () => {
  await kill('two');
  await call();
  expect((await run('evidence', 'checkpoint')).stderr).toMatch(
    /two\.example did not cosign the records: .*ECONNREFUSED/u,
  );
  expect(await verify()).toMatchObject({code: 8, status: 'unwitnessed'});
  expect((await json('check')).document['problems']).toMatchObject([{code: 'WITNESS_UNREACHABLE'}]);
  expect((await run('state', 'doctor')).stdout).toContain('ECONNREFUSED');
  await start('two');
  expect((await run('evidence', 'checkpoint')).stderr).not.toContain('did not cosign');
  expect(await verify()).toMatchObject({code: 0, status: 'verified'});
});

it('catches a log that its owner writes anew with the same key', async () => {
  await kill('one');
  await start('one');
  rmSync(join(state, 'kernel'), {recursive: true});
  await call();
  await run('evidence', 'checkpoint');
  const shorter = await verify();
  expect(shorter).toMatchObject({code: 3, status: 'truncated'});
  expect(shorter.findings).toMatch(/witness one\.example .* the log was cut or rolled back/u);
  for (let calls = 0; calls < 4; calls += 1) await call();
  await run('evidence', 'checkpoint');
  const longer = await verify();
  expect(longer).toMatchObject({code: 2, status: 'tampered'});
  expect(longer.findings).toMatch(/witness two\.example .* the log was rewritten/u);
  expect(existsSync(join(state, 'kernel', 'evidence', 'cosigned', 'traces'))).toBe(false);
});
