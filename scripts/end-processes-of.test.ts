// Nothing that an engine has started continues after it.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';
import {expect, test} from 'vitest';

const {endProcessesOf} = (await import(`${import.meta.dirname}/end-processes-of.mjs`)) as {
  endProcessesOf(folder: string): Promise<readonly string[]>;
};

/** What only waits for its parent to notice its end has no command any more. */
function runs(pid = 0): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path).length > 0;
}

test.skipIf(process.platform !== 'linux')(
  'what names something in the folder ends, with what it has started, and nothing else',
  async () => {
    const folder = `/var/tmp/lumenflow-of-${process.pid}`;
    const start = (argument: string) =>
      spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; wait', argument], {stdio: ['ignore', 'pipe', 'ignore']});
    const [shim, other] = [start(`${folder}/engine.sock`), start(`${folder}-other/engine.sock`)];
    const below = await Promise.all(
      [shim, other].map(async ({stdout}) => Number((await once(createInterface(stdout), 'line'))[0])),
    );
    expect(await endProcessesOf(folder)).toEqual([]);
    expect([shim.pid, other.pid, ...below].map(runs)).toEqual([false, true, false, true]);
    expect(await endProcessesOf(`${folder}-other`)).toEqual([]);
  },
);
