import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {afterEach, describe, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createTreeMeter} from './create-tree-meter.ts';

const python = findProgram('python3');
const megabyte = 1024 ** 2;
let root: ChildProcess | undefined;
afterEach(() => {
  if (root?.pid !== undefined) process.kill(-root.pid, 'SIGKILL');
});

/** `program`, in Python, below a process of ours. */
async function start(program: string): Promise<number> {
  const ready = `import os, subprocess, sys, time\n${program}`;
  const args = ['-c', '"$0" -c "$1"; true', python ?? '', ready];
  root = spawn('/bin/sh', args, {detached: true, stdio: ['ignore', 'pipe', 'inherit']});
  await once(root.stdout!, 'data');
  return root.pid ?? 0;
}

const fill = `bytes = bytearray(b'1') * (64 << 20)\nprint('ready', flush=True)\n`;
const usage = (pid: number, looks: number): readonly number[] =>
  Array.from({length: looks}, () => createTreeMeter(pid).read()?.memoryBytes ?? 0);

describe.skipIf(process.platform !== 'linux' || python === undefined)('memory of processes', () => {
  // The child is a copy of its parent until it executes its program.
  test.each([
    ['forks', `while True:\n  pid = os.fork()\n  if pid == 0: os.execv('/bin/true', ['true'])\n  os.waitpid(pid, 0)`],
    ['vforks', `while True: subprocess.run('/bin/true')`],
  ])('a program that %s others does not use its own memory twice', async (_how, program) => {
    const found = usage(await start(`${fill}${program}`), 250);
    expect(Math.max(...found)).toBeGreaterThan(64 * megabyte);
    expect(found.filter((bytes) => bytes > 110 * megabyte)).toEqual([]);
  });

  test('children that write to their copies use memory of their own', async () => {
    const program = `bytes = bytearray(b'1') * (64 << 20)
for child in range(2):
  if os.fork() == 0:
    for at in range(0, len(bytes), 4096): bytes[at] = 2
    print('written', flush=True)
    time.sleep(60)
time.sleep(60)`;
    const pid = await start(program);
    await expect.poll(() => usage(pid, 1)[0]).toBeGreaterThan(3 * 64 * megabyte);
  });
});
