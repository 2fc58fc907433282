// What docs/kubernetes.md asks of a person: the manifests are applied, and the node gets the runner image.
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {repository} from '../run.mjs';

const stepMs = 120_000;
const name = 'docker.io/library/lumenflow-runner';

/** Returns the image, by its digest. */
export function setUpCluster({kubectl, kubeconfig, containerd, folder}) {
  const manifests = join(repository, 'integrations/kubernetes/manifests');
  run(kubectl, ['--kubeconfig', kubeconfig, 'apply', '-f', manifests]);
  const archive = join(folder, 'runner.tar');
  run(process.execPath, [join(repository, 'host/lumenflow.mjs'), 'sandbox', 'image', 'save', archive]);
  const ctr = (...args) => run('ctr', ['--address', containerd, '--namespace', 'k8s.io', 'images', ...args]);
  ctr('import', archive);
  const [, tag, digest] = new RegExp(`^${name}:(\\S+) .*?(sha256:[0-9a-f]{64})`, 'm').exec(ctr('ls')) ?? [];
  // As a registry would name it.
  ctr('tag', `${name}:${tag}`, `${name}@${digest}`);
  return `${name}@${digest}`;
}

function run(program, args) {
  const {status, stdout, stderr} = spawnSync(program, args, {encoding: 'utf8', timeout: stepMs});
  if (status !== 0) throw new Error(`\`${program} ${args.join(' ')}\` failed: ${stderr}`);
  return stdout;
}
