// Backups of files as docs/operations.md shows them, made while calls run: each verifies, has what was acknowledged before it, and works.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startHost} from '@lumenflow/host';
import {expect, onTestFinished, test} from 'vitest';
import {makeHostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const [, parts = ''] = /^cd \.lumenflow && tar .* -czf \.\.\/backup\.tar\.gz (.*?) && cd \.\.$/mu.exec(page) ?? [];

test('a backup of files that is made while calls run verifies, and its restored workspace works', async () => {
  const workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
  });
  onTestFinished(() => workspace.remove());
  const host = await workspace.start();
  const session = opened(await host.openSession({by: 'tester'}));
  const acknowledged: string[] = [];
  const over = new AbortController();
  const call = async (): Promise<void> => {
    const {metadata} = await session.call('pool:echo', {text: `${acknowledged.length}`});
    acknowledged.push(metadata?.receipt_id ?? '');
    if (acknowledged.length % 10 === 0) await host.runtime.evidence.checkpoint();
  };
  const callers = [1, 2, 3, 4].map(async () => {
    while (!over.signal.aborted) await call();
  });
  const backups: {readonly archive: string; readonly before: number}[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-backup-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  for (let count = 0; count < 3; count += 1) {
    const sizeBefore = acknowledged.length;
    await expect.poll(() => acknowledged.length, {timeout: 60_000}).toBeGreaterThan(sizeBefore + 20);
    const archive = join(folder, `${count}.tar`);
    const before = acknowledged.length;
    const tar = spawn('tar', ['--warning=no-file-changed', '-cf', archive, ...parts.split(' ')], {
      cwd: join(workspace.root, '.lumenflow'),
      stdio: 'ignore',
    });
    const [code] = (await once(tar, 'close')) as [number];
    // 1: a log grew while it was read.
    expect([0, 1]).toContain(code);
    backups.push({archive, before});
  }
  over.abort();
  await Promise.all(callers);
  await host.close();

  for (const {archive, before} of backups) {
    const root = join(folder, `restored-${before}`);
    cpSync(workspace.root, root, {recursive: true, filter: (path) => !path.includes('.lumenflow')});
    mkdirSync(join(root, '.lumenflow'));
    const [code] = (await once(spawn('tar', ['-xf', archive, '-C', join(root, '.lumenflow')]), 'close')) as [number];
    expect(code).toBe(0);
    const restored = await startHost({workspaceRoot: root});
    // Records after the newest checkpoint are not signed yet.
    expect((await restored.runtime.evidence.verify()).status).toMatch(/^(?:verified|unsigned_tail)$/u);
    for (const receipt of acknowledged.slice(0, before)) {
      expect(await restored.runtime.evidence.receipt(receipt)).toMatchObject({finished: {result: 'success'}});
    }
    const next = opened(await restored.openSession({by: 'tester'}));
    expect(await next.call('pool:echo', {text: 'after'})).toMatchObject({success: true});
    await restored.runtime.evidence.checkpoint();
    expect((await restored.runtime.evidence.verify()).status).toBe('verified');
    await restored.close();
  }
}, 120_000);
