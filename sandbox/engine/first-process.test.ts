// The first process of a container is recognized as soon as it executes its program, and not before.
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {afterEach, expect, test} from 'vitest';
import {firstProcess} from './first-process.ts';

let process: ChildProcess | undefined;
afterEach(() => process?.kill('SIGKILL'));

const mark = 'mark-of-container';

/** As a runtime does: first another program, which then executes that of the container. */
function start(script: string): number {
  process = spawn('/bin/sh', ['-c', script], {env: {MARK: mark}, stdio: 'ignore'});
  return process.pid ?? 0;
}

const onLinux = test.skipIf(globalThis.process.platform !== 'linux');

onLinux('a process that has not executed its program yet is awaited', async () => {
  const pid = start('sleep 0.2; exec /bin/sh -c "sleep 60 & wait" "$MARK"');
  expect(readFileSync(`/proc/${pid}/cmdline`, 'latin1')).not.toContain(mark);
  const first = await firstProcess({pid, file: 'cmdline', mark});
  expect(first?.pid).toBe(pid);
  const ended = once(process as ChildProcess, 'exit');
  expect(first?.kill()).toBe(true);
  await ended;
});

onLinux('a process that ends without executing it is none', async () => {
  expect(await firstProcess({pid: start('sleep 0.1'), file: 'cmdline', mark})).toBeUndefined();
});
