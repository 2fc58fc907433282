// Spares end with their host, however it ends, and do not keep it from ending.
import {readFileSync, rmSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {setTimeout as delay} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {findBwrap} from '../bubblewrap/host-system.ts';
import {spawnProcess} from '../commands/spawn-process.ts';

const hasBwrap = findBwrap('/usr/bin:/bin') !== undefined;
if (!hasBwrap) process.stderr.write('skipped: spares need bubblewrap (`apt-get install bubblewrap`)\n');

const program = fileURLToPath(new URL('../testing/warm-host.fixture.ts', import.meta.url));

interface HostReport {
  readonly folder: string;
  readonly pids: readonly number[];
}

describe.skipIf(!hasBwrap)('a host with spares', () => {
  test.each(['is killed', 'comes to its end without closing'])('that %s leaves none behind', async (how) => {
    const host = await spawnProcess({
      command: process.execPath,
      args: ['--import', 'tsx', '--conditions=@lumenflow/source', program, how === 'is killed' ? 'stay' : 'end'],
      cwd: process.cwd(),
      env: {PATH: '/usr/bin:/bin'},
      stdio: ['ignore', 'pipe', 'pipe'],
      timeoutMs: 30_000,
    });
    const {folder, pids} = await reportOf(host.pipes[1]);
    try {
      expect(pids.length).toBeGreaterThanOrEqual(3);
      // Killing the host alone, as the kernel does when memory runs out.
      if (how === 'is killed' && host.pid !== undefined) process.kill(host.pid, 'SIGKILL');
      expect(await host.ended).toMatchObject({exitCode: how === 'is killed' ? 137 : 0, timedOut: false});
      while (pids.some(isRunning)) await delay(20);
    } finally {
      rmSync(folder, {recursive: true, force: true});
    }
  });
});

/** The first line of JSON, which comes at once. */
async function reportOf(stdout: AsyncIterable<unknown> | null | undefined): Promise<HostReport> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.endsWith('}')) break;
  }
  return JSON.parse(text) as HostReport;
}

/** A zombie that has not been reaped yet has ended too. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // Nothing is left of it.
    return false;
  }
}
