// What runs the calls of an attacked backend, on the machine of the attacks: an engine, a worker, a cluster, or a server of containers.
import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {runEngineProgram} from '../support/run-engine-program.ts';
import {runEngine, type EngineName} from '../support/run-engine.ts';
import {startWorkerProcess} from '../support/worker-process.ts';

export type AttackedEngine = EngineName | 'worker' | 'kubernetes' | 'proxmox';

export interface StartedEngine {
  /** Of its backend, for workspace.yaml. */
  readonly options: object;
  /** Variables that the host needs. */
  readonly env: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

const repository = join(import.meta.dirname, '../..');

/** `folder`: empty. */
export async function startEngine(name: AttackedEngine, folder: string): Promise<StartedEngine> {
  if (name === 'worker') return await startWorker(folder);
  if (name === 'kubernetes') return await startCluster(folder);
  if (name === 'proxmox') return await startProxmox(folder);
  const {socket, end} = await runEngine(name, folder);
  return {options: {socket}, env: {}, end};
}

async function startWorker(folder: string): Promise<StartedEngine> {
  const {listed, close} = await startWorkerProcess({folder});
  return {options: {workers: [listed]}, env: {XDG_STATE_HOME: folder}, end: close};
}

interface Cluster {
  readonly hostKubeconfig: string;
  readonly image: string;
}

async function startCluster(folder: string): Promise<StartedEngine> {
  // Kubernetes looks for the address of its node at the default route, and this machine has nothing but its loopback.
  execFileSync('ip', ['route', 'add', 'default', 'dev', 'lo']);
  const program = join(repository, 'scripts/run-engine.mjs');
  const {started, end} = await runEngineProgram<Cluster>('the cluster', [program, 'kubernetes', '0', folder]);
  // The result of a trial would be kept for the user of the harness.
  const env = {KUBECONFIG: started.hostKubeconfig, XDG_STATE_HOME: folder, XDG_CACHE_HOME: folder};
  return {options: {image: started.image}, env, end};
}

interface Proxmox {
  readonly options: object;
  readonly token: string;
  /** As `lumenflow workers key` stores it. */
  readonly hostKey: string;
}

async function startProxmox(folder: string): Promise<StartedEngine> {
  const program = join(repository, 'sandbox/testing/proxmox/run-proxmox.fixture.ts');
  const args = ['--import', import.meta.resolve('tsx'), '--conditions=@lumenflow/source', program, folder];
  const {started, end} = await runEngineProgram<Proxmox>('the server of containers', args);
  const keys = join(folder, 'lumenflow/host/keys');
  mkdirSync(keys, {recursive: true, mode: 0o700});
  writeFileSync(join(keys, '1.key'), started.hostKey, {mode: 0o600});
  return {
    options: {...started.options, token: 'PROXMOX_TOKEN'},
    env: {PROXMOX_TOKEN: started.token, XDG_STATE_HOME: folder},
    end,
  };
}
