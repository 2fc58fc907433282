import {chmodSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {createCallerView} from './caller-view.ts';
import type {WorkspaceView} from './workspace-view.ts';

let door: string;
beforeEach(() => (door = mkdtempSync(join(tmpdir(), 'caller-view-'))));
afterEach(() => rmSync(door, {recursive: true}));

const open = (): ReturnType<typeof createCallerView> => createCallerView({door} as WorkspaceView);
const agreed = async (): Promise<boolean> => await Promise.resolve(true);

test('only unchanged writes of nested calls may exceed the grant of the caller', async () => {
  const view = open();
  await view.merge(['kept', 'changed', 'removed', 'gone', 'back', 'dir', 'dir-mode'], agreed, async () => {
    for (const name of ['kept', 'changed', 'removed']) writeFileSync(join(door, name), name);
    for (const name of ['dir', 'dir-mode']) mkdirSync(join(door, name));
    await Promise.resolve();
  });
  writeFileSync(join(door, 'changed'), 'other');
  unlinkSync(join(door, 'removed'));
  writeFileSync(join(door, 'back'), '');
  writeFileSync(join(door, 'dir/inside'), '');
  chmodSync(join(door, 'dir-mode'), 0o700);
  expect([...view.merged()]).toEqual(['kept', 'gone', 'dir']);
});

test('nothing is merged without agreement, or once the caller has ended', async () => {
  const view = open();
  let isMerged = false;
  const merge = async (): Promise<void> => await Promise.resolve(void (isMerged = true));
  await view.merge(['a'], async () => await Promise.resolve(false), merge);
  await view.end();
  await expect(view.merge(['a'], agreed, merge)).rejects.toThrow('has ended');
  await expect(view.copy(merge)).rejects.toThrow('has ended');
  expect([isMerged, view.merged().size, view.broken()]).toEqual([false, 0, undefined]);
});

test('a merge that fails in the middle is remembered', async () => {
  const view = open();
  const failing = view.merge(['a'], agreed, async () => await Promise.reject(new Error('disk full')));
  await expect(failing).rejects.toThrow('disk full');
  expect(view.broken()).toContain('disk full');
});
