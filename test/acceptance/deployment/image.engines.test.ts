// deploy/docker/Dockerfile, built on a base from this machine, with the packages of this checkout, and run as docs/operations.md says.
import {execFile, spawnSync} from 'node:child_process';
import {chownSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {writeMachineRoot} from '../../support/write-machine-root.ts';
import {packAll} from '../../support/published-packages.ts';
import {runEngine, type RunningEngine} from '../../support/run-engine.ts';

const dockerfile = join(import.meta.dirname, '../../../deploy/docker');
const obstacle =
  process.getuid?.() !== 0
    ? 'only root can start Docker here'
    : spawnSync('dockerd', ['--version']).error || spawnSync('busybox', ['true']).error
      ? 'npm run engines -- docker vm'
      : undefined;
const run = promisify(execFile);
const user = 65_532;
const minutes = 60_000;
/** As in deploy/compose: of a host, and of a worker. */
const closed = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const forWorkers = ['seccomp=unconfined', 'apparmor=unconfined', 'systempaths=unconfined'].flatMap((option) => [
  '--security-opt',
  option,
]);

describe.skipIf(obstacle !== undefined)(`the image (${obstacle ?? 'real'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lumenflow-deployed-'));
  const [workspace, state] = [join(folder, 'workspace'), join(folder, 'state')];
  let engine: RunningEngine;
  const docker = async (...args: readonly string[]): Promise<string> =>
    (await run('docker', ['-H', `unix://${engine.socket}`, ...args], {maxBuffer: 2 ** 26})).stdout.trim();
  const volumes = ['-v', `${workspace}:/workspace`, '-v', `${state}:/var/lib/lumenflow`];

  beforeAll(async () => {
    const root = join(folder, 'root');
    writeMachineRoot(root);
    await packAll(join(root, 'packages'));
    for (const each of [workspace, state]) {
      mkdirSync(each);
      chownSync(each, user, user);
    }
    await run('tar', ['-C', root, '--numeric-owner', '--owner=0', '--group=0', '-cf', join(folder, 'base.tar'), '.']);
    engine = await runEngine('docker');
    await docker('import', join(folder, 'base.tar'), 'lumenflow-base');
    const args = ['BASE=lumenflow-base', 'PACKAGES=/packages/*.tgz'].flatMap((arg) => ['--build-arg', arg]);
    await docker('build', '--network', 'host', ...args, '-t', 'lumenflow', dockerfile);
  }, 8 * minutes);
  afterAll(async () => {
    await engine.end();
    rmSync(folder, {recursive: true, force: true});
  }, 5 * minutes);

  test(
    'runs the command line as an ordinary user, and finds the integration for PostgreSQL',
    async () => {
      expect(await docker('run', '--rm', 'lumenflow', '--version')).toMatch(/\d+\.\d+\.\d+/u);
      expect(await docker('inspect', '--format', '{{.Config.User}}', 'lumenflow')).toBe(`${user}:${user}`);
      const {stderr} = await run('docker', [
        '-H',
        `unix://${engine.socket}`,
        'run',
        '--rm',
        '-e',
        'LUMENFLOW_DATABASE_URL=postgresql://192.0.2.1/a?connect_timeout=1',
        ...volumes,
        'lumenflow',
        'state',
        'migrate',
      ]).catch((error: {stderr: string}) => error);
      expect(stderr).not.toContain('need the package');
    },
    5 * minutes,
  );

  test(
    'a host without any privilege becomes healthy, and ends in order',
    async () => {
      await docker('run', '--rm', ...closed, ...volumes, 'lumenflow', 'init', '--id', 'demo');
      const id = await docker('run', '-d', ...closed, ...volumes, 'lumenflow');
      const health = (): Promise<string> => docker('inspect', '--format', '{{.State.Health.Status}}', id);
      await expect.poll(health, {timeout: 5 * minutes, interval: 1_000}).toBe('healthy');
      await docker('stop', '--time', '60', id);
      expect(await docker('inspect', '--format', '{{.State.ExitCode}}', id)).toBe('0');
      const {stderr} = await run('docker', ['-H', `unix://${engine.socket}`, 'logs', id]);
      expect(stderr).toContain('"message":"stopped"');
    },
    10 * minutes,
  );

  test(
    'with the options of the worker, bubblewrap enforces what it enforces elsewhere',
    async () => {
      const doctor = await docker(
        'run',
        '--rm',
        ...closed,
        ...forWorkers,
        ...volumes,
        'lumenflow',
        'sandbox',
        'doctor',
        '--json',
      );
      expect(JSON.parse(doctor)).toMatchObject({ok: true});
    },
    5 * minutes,
  );
});
