// The example of tools in C: compiled by clang, and called through the whole host.
import {execFileSync, spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {packConformance} from '@lumenflow/host/testing';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {makeHostWorkspace, must} from '../support/host-workspace.ts';
import {runProgram} from '../support/lumenflow-program.ts';
import {opened} from '../support/opened.ts';

const repository = join(import.meta.dirname, '..', '..');
const hasClang = spawnSync('clang', ['--version']).status === 0;
const needed = 'apt-get install clang lld wasi-libc libclang-rt-dev-wasm32';
const files = {'docs/a.txt': 'one two three\n', 'private.txt': 'secret words\n'};

describe.skipIf(!hasClang)(`tools in C (${needed})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-words-'));
  const pack = join(folder, 'pack');
  const workspace = (): ReturnType<typeof makeHostWorkspace> => makeHostWorkspace({copied: {words: pack}, files});
  beforeAll(() => {
    cpSync(join(repository, 'examples/wasm-pack'), pack, {recursive: true});
    execFileSync(join(pack, 'build.sh'), {env: {...process.env, LUMENFLOW_SDK: join(repository, 'pack-sdk')}});
  });
  afterAll(() => rmSync(folder, {recursive: true}));

  test('read and write files by the C library, call each other, and leave receipts', async () => {
    const {root, start, remove} = workspace();
    const host = await start();
    const session = opened(await host.openSession({by: 'tester'}));
    expect(await must(session, 'words:count', {path: 'docs/a.txt'})).toEqual({words: 3});
    expect(await must(session, 'words:save', {path: 'docs/a.txt'})).toEqual({saved: true});
    expect(readFileSync(join(root, 'docs/a.txt.count'), 'utf8')).toBe('3\n');
    await remove();
  });

  test('see nothing outside of their scopes', async () => {
    const {start, remove} = workspace();
    const session = opened(await (await start()).openSession({by: 'tester'}));
    for (const path of ['private.txt', 'workspace.yaml', 'docs/gone.txt']) {
      expect((await session.call('words:count', {path})).error?.code).toBe('NOT_READABLE');
    }
    await remove();
  });

  test('keep the schemas of their manifest', async () => {
    const {code, stdout} = await runProgram(['pack', 'manifest', pack, '--check'], {cwd: folder});
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('matches the tools')});
  });

  test('pass the suite for packs', async () => {
    const checks = await packConformance(pack, {
      files,
      examples: {'words:count': [{path: 'docs/a.txt'}], 'words:save': [{path: 'docs/a.txt'}]},
    });
    for (const check of checks) check.run();
    expect(checks.length).toBeGreaterThan(5);
  });
});
