// What gVisor itself does with a container of this machine's system: the baseline of calls under gVisor.
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {EngineContainers} from './engine-containers.ts';
import {nodeWithModule} from './node-with-module.ts';

const program = 'runsc';
const executor = createSpawnExecutor();

export async function openGvisorContainers(): Promise<EngineContainers> {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-bench-gvisor-'));
  const runsc = async (...args: readonly string[]): Promise<void> => {
    const ended = await executor.run({
      command: program,
      args: ['--root', join(folder, 'state'), '--network', 'none', ...args],
      cwd: folder,
      env: {PATH: process.env['PATH'] ?? ''},
      outputSink: {kind: 'capture', maxBytes: 10_000},
    });
    if (ended.exitCode !== 0) throw new Error(`${program} failed: ${ended.startError ?? ended.stderr}`);
  };
  let count = 0;
  const bundle = (args: readonly string[]): readonly [bundle: string, id: string] => {
    const path = join(folder, `bundle-${(count += 1)}`);
    mkdirSync(path);
    writeFileSync(join(path, 'config.json'), JSON.stringify(specOf(args)));
    return [path, `bench-${process.pid}-${count}`];
  };
  const [waitingBundle, waiting] = bundle([process.execPath, '-e', 'setInterval(() => undefined, 1e6)']);
  // In the foreground: the executor ends what a program leaves behind.
  let end: Error | undefined;
  const ended = runsc('run', '--bundle', waitingBundle, waiting).catch((error: Error) => (end = error));
  const exec = async (): Promise<void> => await runsc('exec', waiting, '/bin/true');
  while (!(await succeeds(exec()))) {
    if (end !== undefined) throw end;
    await delay(50);
  }
  return {
    async runOnce() {
      const [path, id] = bundle(nodeWithModule);
      await runsc('run', '--bundle', path, id);
    },
    exec,
    async close() {
      await runsc('kill', waiting, 'KILL');
      await ended;
      rmSync(folder, {recursive: true});
    },
  };
}

async function succeeds(attempt: Promise<void>): Promise<boolean> {
  return await attempt.then(
    () => true,
    () => false,
  );
}

/** In the host's own tree, read-only. */
function specOf(args: readonly string[]): object {
  return {
    ociVersion: '1.0.0',
    process: {user: {uid: 0, gid: 0}, args, cwd: '/', env: ['PATH=/usr/bin:/bin'], noNewPrivileges: true},
    root: {path: '/', readonly: true},
    hostname: 'bench',
    mounts: [{destination: '/proc', type: 'proc', source: 'proc'}],
    linux: {namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({type}))},
  };
}
