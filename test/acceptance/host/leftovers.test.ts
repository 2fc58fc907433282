// What sandboxes of a host that was killed have left on the machine goes when the next host starts.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeHostWorkspace} from '../../support/host-workspace.ts';

test.skipIf(process.platform !== 'linux')(
  'a host removes what one that was killed has left, as it starts',
  async () => {
    const endedPid = execFileSync('sh', ['-c', 'echo $$'], {encoding: 'utf8'}).trim();
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
    const folderOf = (kind: string, pid: string | number): string =>
      join(tmpdir(), `lumenflow-${kind}-${namespace}-${pid}-${process.pid}`);
    const left = ['self-test', 'call'].map((kind) => folderOf(kind, endedPid));
    const alive = folderOf('self-test', process.ppid);
    for (const folder of [...left, alive]) mkdirSync(join(folder, 'inside'), {recursive: true});
    const workspace = makeHostWorkspace({});
    try {
      await workspace.start();
      expect(left.map((folder) => existsSync(folder))).toEqual([false, false]);
      expect(existsSync(alive)).toBe(true);
    } finally {
      await workspace.remove();
      execFileSync('rm', ['-rf', alive, ...left]);
    }
  },
);
