// A real cluster for tests, set up as docs/kubernetes.md says.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

export interface RealCluster {
  /** Kubeconfigs: of an administrator, and of a host with the rights of the manifests. */
  readonly kubeconfig: string;
  readonly hostKubeconfig: string;
  readonly kubectl: string;
  /** Of calls, by digest. */
  readonly image: string;
  /** Of later Pods: one that enforces policies, or one that ignores them. */
  useNetwork(kind: 'open' | 'closed'): void;
  /** What kubectl prints for an administrator. */
  admin(...args: readonly string[]): string;
  end(): Promise<void>;
}

interface Started extends Pick<RealCluster, 'kubeconfig' | 'hostKubeconfig' | 'kubectl' | 'image'> {
  readonly networks: {readonly directory: string; readonly open: string; readonly closed: string};
}

const program = fileURLToPath(new URL('../../scripts/run-engine.mjs', import.meta.url));
const built = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lumenflow/kubernetes/bin/kubectl');

export const manifests: string = fileURLToPath(new URL('manifests', import.meta.url));

/** Why there is none here. */
export function clusterObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can run its node';
  return existsSync(built) ? undefined : 'npm run engines -- kubernetes';
}

export async function startRealCluster(): Promise<RealCluster> {
  const child = spawn(process.execPath, [program, 'kubernetes'], {stdio: ['pipe', 'pipe', 'inherit']});
  const ended = once(child, 'exit');
  const lines = createInterface({input: child.stdout});
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as readonly unknown[];
  if (typeof line !== 'string') throw new Error('the cluster did not start');
  const started = JSON.parse(line) as Started;
  const {networks, kubectl, kubeconfig} = started;
  return {
    ...started,
    useNetwork: (kind) => writeFileSync(networks.directory, readFileSync(networks[kind])),
    admin: (...args) => execFileSync(kubectl, ['--kubeconfig', kubeconfig, ...args], {encoding: 'utf8'}),
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
