// Evidence that somebody carries away, and checks without the workspace.
import {spawnSync} from 'node:child_process';
import {cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
  assertBuilt,
  initialize,
  makeFolder,
  programUsers,
  runCommand,
  runCommandForJson,
} from '../../support/lumenflow-program.ts';

const folder = makeFolder();
const elsewhere = makeFolder();
const state = join(folder.path, '.lumenflow');

beforeAll(async () => {
  assertBuilt();
  await initialize(folder.path);
  for (const args of [
    ['tools', 'call', 'file:list'],
    ['tools', 'call', 'gates:list'],
  ]) {
    expect((await runCommand(args, {cwd: folder.path})).code).toBe(0);
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
  return (await runCommand(args, {cwd: elsewhere.path})).code;
}

function key(): string {
  return readFileSync(join(state, 'keys', 'evidence.pub'), 'utf8').trim();
}

it('is listed page by page, and by time', async () => {
  const list = async (...options: string[]) =>
    await runCommandForJson(['evidence', 'list', '-n', '1', ...options], {cwd: folder.path});
  const {document: newest} = await list();
  const before = String(newest['next_before_seq']);
  expect((await runCommand(['evidence', 'list', '-n', '1'], {cwd: folder.path})).stderr).toContain(
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
    expect((await runCommand([...args, '--key', key()], {cwd: elsewhere.path})).code).toBe(0);
  });

  it('without a known key is not taken for signed', async () => {
    expect(await verifyCopy((copy) => rmSync(join(copy, 'keys'), {recursive: true}))).toBe(4);
  });

  it('that is verified with the key of another workspace is rejected', async () => {
    const other = join(elsewhere.path, 'other');
    expect((await runCommand(['init', 'other'], {cwd: elsewhere.path})).code).toBe(0);
    expect((await runCommand(['tools', 'call', 'file:list'], {cwd: other})).code).toBe(0);
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

it('is listed, shown and exported from its files while the workspace does not load', async () => {
  const broken = join(elsewhere.path, 'broken');
  cpSync(folder.path, broken, {recursive: true});
  const text = readFileSync(join(broken, 'workspace.yaml'), 'utf8');
  for (const changed of [text.replace('version: 0.1.0', 'version: 9.9.9'), `${text}nonsense: [`]) {
    writeFileSync(join(broken, 'workspace.yaml'), changed);
    const listed = await runCommand(['evidence', 'list'], {cwd: broken});
    expect(listed).toMatchObject({code: 0, stdout: expect.stringMatching(/gates:list[^]*file:list/u)});
    expect(listed.stderr).toContain('the workspace does not load');
  }
  const {document} = await runCommandForJson(['evidence', 'list', '-n', '1'], {cwd: broken});
  const [newest] = document['receipts'] as {receipt_id: string}[];
  const shown = await runCommandForJson(['evidence', 'show', newest?.receipt_id ?? ''], {cwd: broken});
  expect(shown).toMatchObject({code: 0, document: {receipt: {started: {tool_name: 'gates:list'}}}});
  expect((await runCommand(['evidence', 'export', '--out', 'records'], {cwd: broken})).code).toBe(0);
  expect(readFileSync(join(broken, 'records'), 'utf8').trim().split('\n')).toHaveLength(4);
  // Records in files can be older than those in the store that workspace.yaml names.
  const elsewhereKept = `${text.replace('version: 0.1.0', 'version: 9.9.9')}state: {kind: postgres, url_env: NO_URL}\n`;
  writeFileSync(join(broken, 'workspace.yaml'), elsewhereKept);
  const refused = await runCommandForJson(['evidence', 'list'], {cwd: broken});
  expect(refused).toMatchObject({code: 2, document: {error: {code: 'LOAD_FAILED'}}});
});

describe('without any right to write', () => {
  const listed = (result: {code: number | null; document: unknown}): unknown => [
    result.code,
    (result.document as {receipts: {started: {tool_name: string}}[]}).receipts.map(({started}) => started.tool_name),
  ];

  it('a copy is listed, shown and exported without its workspace', async () => {
    const copy = join(elsewhere.path, 'alone');
    cpSync(state, copy, {recursive: true});
    rmSync(join(copy, 'keys/evidence.key'));
    const {document, code} = await runCommandForJson(['evidence', 'list', '--folder', 'alone'], {cwd: elsewhere.path});
    expect(listed({code, document})).toEqual([0, ['gates:list', 'file:list']]);
    const [newest] = document['receipts'] as {receipt_id: string}[];
    const receipt_id = newest?.receipt_id ?? '';
    const show = ['evidence', 'show', receipt_id, '--folder', 'alone'];
    expect(await runCommandForJson(show, {cwd: elsewhere.path})).toMatchObject({
      code: 0,
      document: {receipt: {receipt_id}},
    });
    const bundled = await runCommandForJson(['evidence', 'export', '--bundle', 'bundle', '--folder', 'alone'], {
      cwd: elsewhere.path,
    });
    expect(bundled).toMatchObject({code: 0, document: {records: 4, missing: 0}});
  });

  const [, ordinary] = programUsers();
  const isRoot = process.getuid?.() === 0;

  it.runIf(isRoot)('a workspace on a read-only mount is read in place', async () => {
    const mount = 'mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && exec "$@"';
    const inside = ['unshare', '--mount', 'sh', '-c', mount, 'sh'];
    expect(listed(await runCommandForJson(['evidence', 'list'], {cwd: folder.path, inside}))).toEqual([
      0,
      ['gates:list', 'file:list'],
    ]);
  });

  it.runIf(isRoot && ordinary?.missing === undefined)('another user reads what only the owner can write', async () => {
    const shared = join(elsewhere.path, 'shared');
    cpSync(folder.path, shared, {recursive: true, verbatimSymlinks: true});
    expect(spawnSync('chmod', ['-R', 'a+rX', elsewhere.path]).status).toBe(0);
    expect(
      listed(await runCommandForJson(['evidence', 'list'], {cwd: shared, ...(ordinary && {user: ordinary})})),
    ).toEqual([0, ['gates:list', 'file:list']]);
  });
});

describe('checkpoints', () => {
  it('are kept elsewhere and compared later; of another log they are rejected', async () => {
    const kept = join(elsewhere.path, 'kept');
    const {code} = await runCommand(['evidence', 'checkpoint', '--out', kept], {cwd: folder.path});
    expect(code).toBe(0);
    expect((await runCommand(['tools', 'call', 'file:list'], {cwd: folder.path})).code).toBe(0);
    const compared = await runCommandForJson(['evidence', 'consistency', kept], {cwd: folder.path});
    expect(compared).toMatchObject({code: 0, document: {proof: {from_size: 4}}});
    const other = join(elsewhere.path, 'rewritten');
    cpSync(folder.path, other, {recursive: true, verbatimSymlinks: true});
    // A history that was made anew, with the same key.
    rmSync(join(other, '.lumenflow/kernel'), {recursive: true});
    for (const _ of [1, 2, 3]) {
      expect((await runCommand(['tools', 'call', 'file:list'], {cwd: other})).code).toBe(0);
    }
    expect((await runCommand(['evidence', 'checkpoint'], {cwd: other})).code).toBe(0);
    expect(await runCommandForJson(['evidence', 'consistency', kept], {cwd: other})).toMatchObject({
      code: 2,
      document: {error: {code: 'EVIDENCE_TAMPERED'}},
    });
    writeFileSync(kept, 'no checkpoint');
    expect((await runCommand(['evidence', 'consistency', kept], {cwd: folder.path})).code).toBe(1);
  });
});
