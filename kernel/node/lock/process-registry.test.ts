import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {firstLine, kill, startFixture} from './start-fixture.fixture.ts';
import {createProcessRegistry} from './process-registry.ts';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

describe('process ids', () => {
  const registry = createProcessRegistry();
  const [boot = '', namespace = '', pid = '', start = ''] = registry.processId.split('.');

  test('name this process, and no two instances alike', () => {
    expect(registry.processId).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u);
    expect(Number(pid)).toBe(process.pid);
    expect(createProcessRegistry().processId).not.toBe(registry.processId);
    expect(registry.isAlive(registry.processId)).toBe(true);
    expect(createProcessRegistry().isAlive(registry.processId)).toBe(true);
  });

  test.runIf(existsSync('/proc/self/stat'))('a pid that was reused is another process', () => {
    expect(registry.isAlive(`${boot}.${namespace}.${pid}.${Number(start) + 1}.00`)).toBe(false);
  });

  test('of another boot is dead; of another container counts as alive, because it is unknown', () => {
    expect(registry.isAlive(`ffffffff.${namespace}.${pid}.${start}.00`)).toBe(false);
    expect(registry.isAlive(`${boot}.1.${pid}.${start}.00`)).toBe(true);
  });

  test.each(['', 'nonsense', `${boot}.${namespace}.${pid}`, '../../x.1.1.1.1'])('%j is nobody', (id) => {
    expect(registry.isAlive(id)).toBe(false);
  });

  test('a process is alive until it is killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lumenflow-process-'));
    const child = startFixture(new URL('hold-lock.fixture.ts', import.meta.url), folder);
    try {
      const id = await firstLine(child);
      expect(registry.isAlive(id)).toBe(true);
      await kill(child);
      expect(registry.isAlive(id)).toBe(false);
    } finally {
      await kill(child);
      rmSync(folder, {recursive: true});
    }
  });

  test.runIf(existsSync('/proc/self/stat'))('a killed process that nobody waited for is dead', async () => {
    // `cat` does not wait for the child that it gets from the shell, so it stays a zombie; the shell itself may wait.
    const parent = spawn('sh', ['-c', 'sleep 100 & echo $!; exec cat'], {stdio: ['pipe', 'pipe', 'inherit']});
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer];
    const child = Number(chunk.toString());
    try {
      parent.stdin.write('are you cat?');
      await once(parent.stdout, 'data');
      const stat = readFileSync(`/proc/${child}/stat`, 'latin1');
      const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
      const id = `${boot}.${namespace}.${child}.${started}.00`;
      expect(registry.isAlive(id)).toBe(true);
      process.kill(child, 'SIGKILL');
      await expect.poll(() => registry.isAlive(id)).toBe(false);
      expect(existsSync(`/proc/${child}`)).toBe(true);
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
  });
});
