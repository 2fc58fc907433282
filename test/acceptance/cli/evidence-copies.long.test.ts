// Evidence that somebody carries away, and checks without the workspace.
import {cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {assertBuilt, makeFolder, runForJson, runProgram} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const elsewhere = makeFolder();
const state = join(folder.path, '.lumenflow');

beforeAll(async () => {
  assertBuilt();
  for (const args of [['init'], ['tools', 'call', 'file:list'], ['tools', 'call', 'gates:list']]) {
    expect((await runProgram(args, {cwd: folder.path})).code).toBe(0);
  }
});
afterAll(() => {
  folder.remove();
  elsewhere.remove();
});

/** The exit code of verifying a fresh copy that was changed. */
async function verifyCopy(change: (copy: string) => void, ...options: string[]): Promise<number | null> {
  const copy = join(elsewhere.path, 'copy of state');
  rmSync(copy, {recursive: true, force: true});
  cpSync(state, copy, {recursive: true});
  change(copy);
  const args = ['evidence', 'verify', '--folder', 'copy of state', ...options];
  return (await runProgram(args, {cwd: elsewhere.path})).code;
}

function key(): string {
  return readFileSync(join(state, 'keys', 'evidence.pub'), 'utf8').trim();
}

it('is listed page by page, and by time', async () => {
  const list = async (...options: string[]) =>
    await runForJson(['evidence', 'list', '-n', '1', ...options], {cwd: folder.path});
  const {document: newest} = await list();
  const before = String(newest['next_before_seq']);
  expect((await runProgram(['evidence', 'list', '-n', '1'], {cwd: folder.path})).stderr).toContain(
    `--before ${before}`,
  );
  const {document: oldest} = await list('--before', before);
  expect([newest, oldest]).toMatchObject([
    {receipts: [{started: {tool_name: 'gates:list'}}]},
    {receipts: [{started: {tool_name: 'file:list'}}]},
  ]);
  expect(oldest).not.toHaveProperty('next_before_seq');
  expect((await list('--until', '2001-01-01')).document).toMatchObject({receipts: []});
  expect(await list('--before', 'yesterday')).toMatchObject({code: 2, document: {error: {code: 'INVALID_ARGUMENT'}}});
});

describe('a copy', () => {
  it('verifies as it is, and by its kernel folder with a key that is known from elsewhere', async () => {
    expect(await verifyCopy(() => undefined)).toBe(0);
    const args = ['evidence', 'verify', '--folder', join(elsewhere.path, 'copy of state', 'kernel')];
    expect((await runProgram([...args, '--key', key()], {cwd: elsewhere.path})).code).toBe(0);
  });

  it('without a known key is not taken for signed', async () => {
    expect(await verifyCopy((copy) => rmSync(join(copy, 'keys'), {recursive: true}))).toBe(4);
  });

  it('that is verified with the key of another workspace is rejected', async () => {
    const other = join(elsewhere.path, 'other');
    expect((await runProgram(['init', 'other'], {cwd: elsewhere.path})).code).toBe(0);
    expect((await runProgram(['tools', 'call', 'file:list'], {cwd: other})).code).toBe(0);
    const otherKey = readFileSync(join(other, '.lumenflow/keys/evidence.pub'), 'utf8').trim();
    expect(await verifyCopy(() => undefined, '--key', otherKey)).toBe(2);
  });

  it('that ends before what was signed is truncated', async () => {
    const cut = (copy: string): void => {
      const traces = join(copy, 'kernel/evidence/traces');
      const [segment = ''] = readdirSync(traces);
      const text = readFileSync(join(traces, segment), 'utf8');
      truncateSync(
        join(traces, segment),
        Buffer.byteLength(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)),
      );
    };
    expect(await verifyCopy(cut)).toBe(3);
  });

  it('that was rolled back with its checkpoints is known by one that was kept', async () => {
    const notes = join(state, 'kernel/evidence/tree/traces');
    const newest = readdirSync(notes).toSorted().at(-1) ?? '';
    writeFileSync(join(elsewhere.path, 'kept.note'), readFileSync(join(notes, newest)));
    const empty = (copy: string): void => {
      for (const path of ['traces', 'tree/traces']) {
        const all = join(copy, 'kernel/evidence', path);
        for (const name of readdirSync(all)) rmSync(join(all, name));
      }
    };
    expect(await verifyCopy(empty, '--checkpoint', 'kept.note')).toBe(3);
  });

  it('whose inputs are gone is incomplete', async () => {
    const shred = (copy: string): void => rmSync(join(copy, 'kernel/evidence/inputs'), {recursive: true});
    expect(await verifyCopy(shred)).toBe(6);
  });
});
