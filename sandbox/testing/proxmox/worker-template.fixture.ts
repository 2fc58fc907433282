// What the template of containers contains: a worker that is bundled from the sources, and the keys of one host and this worker.
import {createHash, generateKeyPairSync, type KeyObject} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import type {SigningKey} from '../../signatures/signing-key.ts';
import {bundleNetworkHolder, bundleRunner} from '../sandbox-bench.fixture.ts';
import type {LxcTemplate} from './lxc-engine.fixture.ts';

interface KeyText {
  readonly id: string;
  readonly pem: string;
}

/** A file in the template. */
export interface WorkerFile {
  readonly hostKey: KeyText;
  readonly ownKey: KeyText;
}

export interface WorkerTemplate {
  readonly template: LxcTemplate;
  readonly hostKey: SigningKey;
  /** As `lumenflow worker key` prints it. */
  readonly workerKey: string;
}

const keysPath = '/etc/lumenflow/keys.json';

/** `folder`: for the programs. */
export async function workerTemplate(folder: string): Promise<WorkerTemplate> {
  const programs = join(folder, 'programs');
  mkdirSync(programs, {mode: 0o755});
  await Promise.all([
    bundleRunner(join(programs, 'runner.cjs')),
    bundleNetworkHolder(join(programs, 'network-holder.cjs')),
    bundleWorker(join(programs, 'worker.mjs')),
  ]);
  const [host, worker] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const key = verifierKey('template', worker.publicKey);
  const hostId = verifierKey('host', host.publicKey).id;
  const file: WorkerFile = {
    hostKey: {id: hostId, pem: pemOf(host.publicKey)},
    ownKey: {id: key.id, pem: pemOf(worker.privateKey)},
  };
  return {
    template: {
      command: [process.execPath, '/opt/lumenflow/worker.mjs', keysPath],
      files: {[keysPath]: JSON.stringify(file)},
      folders: {'/opt/lumenflow': programs},
    },
    hostKey: {id: hostId, privateKey: host.privateKey},
    workerKey: key.text,
  };
}

async function bundleWorker(outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL('worker.fixture.ts', import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: {
      js: `import {createRequire as requireFrom} from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    conditions: ['@lumenflow/source'],
    logLevel: 'warning',
  });
}

function pemOf(key: KeyObject): string {
  return key.export({type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem'}).toString();
}

/** C2SP signed notes: the id is the beginning of a hash over name and key. */
function verifierKey(name: string, key: KeyObject): {readonly id: string; readonly text: string} {
  const bytes = Buffer.from(key.export({format: 'jwk'}).x ?? '', 'base64url');
  const typed = Buffer.concat([Buffer.from([1]), bytes]);
  const hash = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8);
  return {id: `${name}+${hash}`, text: `${name}+${hash}+${typed.toString('base64')}`};
}
