// deploy/compose, read by Compose itself, which checks it against the published schema.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parse} from 'yaml';

const folder = join(import.meta.dirname, '../../../deploy/compose');
const file = join(folder, 'compose.yaml');
const obstacle = spawnSync('docker-compose', ['version']).error ? 'npm run engines -- compose' : undefined;

interface Service {
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly ports?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly command: readonly string[];
}
interface Composed {
  readonly services: Readonly<Record<'database' | 'migrate' | 'host' | 'worker', Service>>;
  readonly networks: Readonly<Record<string, {readonly internal?: boolean} | null>>;
}

/** With the variables of example.env, unless others are given. */
function compose(path = file, env = readFileSync(join(folder, 'example.env'), 'utf8')) {
  const own = mkdtempSync(join(tmpdir(), 'lumenflow-compose-'));
  onTestFinished(() => rmSync(own, {recursive: true}));
  writeFileSync(join(own, '.env'), env);
  const args = ['--env-file', join(own, '.env'), '-f', path, 'config'];
  const {status, stdout, stderr} = spawnSync('docker-compose', args, {encoding: 'utf8'});
  return {status, stderr, composed: status === 0 ? (parse(stdout) as Composed) : undefined};
}

test.skipIf(obstacle !== undefined)(
  `the file is valid (${obstacle ?? 'real'}), and hosts get no password of the owner`,
  () => {
    const {status, stderr, composed} = compose();
    expect([status, stderr]).toEqual([0, '']);
    const {database, migrate, host, worker} = composed?.services ?? ({} as Composed['services']);
    expect(migrate.environment?.['LUMENFLOW_DATABASE_URL']).toContain('change-me-1');
    expect(JSON.stringify(host)).not.toContain('change-me-1');
    expect(JSON.stringify(worker)).not.toContain('change-me');
    // Neither the database nor a worker can be reached from outside, or reach it.
    expect([Object.keys(database.networks), Object.keys(worker.networks)]).toEqual([['records'], ['calls']]);
    expect(composed?.networks).toMatchObject({records: {internal: true}, calls: {internal: true}});
    expect([database.ports, worker.ports, host.ports]).toEqual([undefined, undefined, ['127.0.0.1:8787:8787/tcp']]);
    for (const {cap_drop} of [host, worker]) expect(cap_drop).toEqual(['ALL']);
  },
);

test.skipIf(obstacle !== undefined)(
  'without a password, and with a key that does not exist, Compose rejects it',
  () => {
    expect(compose(file, 'WORKSPACE=/srv\n')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('set it in .env'),
    });
    const changed = join(mkdtempSync(join(tmpdir(), 'lumenflow-compose-')), 'compose.yaml');
    onTestFinished(() => rmSync(join(changed, '..'), {recursive: true}));
    writeFileSync(changed, readFileSync(file, 'utf8').replace('stop_grace_period', 'stop_grace'));
    expect(compose(changed)).toMatchObject({status: 1, stderr: expect.stringContaining('stop_grace')});
  },
);
