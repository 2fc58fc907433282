// `npm run engines [-- NAME...]`: installs the programs that start containers and machines of calls, and the database of several hosts,
// each by itself: a distribution may lack one.
import {pathToFileURL} from 'node:url';
import {installCached} from './cached-package.mjs';
import {buildKubernetes, kubernetesPrograms} from './kubernetes/build-kubernetes.mjs';
import {aptCommand, installWithApt} from './install-system-programs.mjs';
import {fail, isOnPath, say} from './run.mjs';

/** By backend: its program, and its Debian packages. */
const engines = {
  runc: {program: 'runc', packages: ['runc']},
  crun: {program: 'crun', packages: ['crun']},
  gvisor: {program: 'runsc', packages: ['runsc']},
  docker: {program: 'dockerd', packages: ['docker.io', 'containerd', 'runc']},
  containerd: {program: 'containerd', packages: ['containerd', 'runc', 'crun']},
  podman: {program: 'podman', packages: ['podman', 'runc', 'uidmap']},
  vm: {
    program: 'qemu-system-x86_64',
    packages: ['qemu-system-x86', 'linux-image-cloud-amd64', 'busybox-static', 'e2fsprogs'],
  },
  // The containers of tests; Proxmox VE itself is a distribution.
  'proxmox-lxc': {program: 'lxc-start', packages: ['lxc', 'iproute2', 'uidmap']},
  // Debian has no package of Firecracker itself; this program unpacks the kernel of its guests.
  firecracker: {program: 'lz4', packages: ['lz4']},
  // Its server is in a folder of its version, where the tests find it.
  postgres: {program: 'pg_ctlcluster', packages: ['postgresql']},
  // Check metrics, alerts, compose files and units.
  prometheus: {program: 'promtool', packages: ['prometheus']},
  compose: {program: 'docker-compose', packages: ['docker-compose']},
  systemd: {program: 'systemd-analyze', packages: ['systemd']},
  // From npm, without its scripts: the server is under the Business Source License, so nothing depends on it.
  restate: {install: installRestate},
  // Debian packages only the source of the rest, which `prepare` builds.
  kubernetes: {
    program: 'etcd',
    packages: `etcd-server containerd runc containernetworking-plugins conntrack socat ethtool busybox-static
      golang-go rsync jq dpkg-dev make`.split(/\s+/),
    prepare: prepareKubernetes,
    built: kubernetesPrograms,
  },
};

/** In the bounded form of CI, it is not built: that takes minutes. */
function prepareKubernetes() {
  if (process.env.LUMENFLOW_BOUNDED !== undefined && kubernetesPrograms() === undefined) return 'it is not built yet';
  return buildKubernetes();
}

function installRestate() {
  const spec = `@restatedev/restate-server-${process.platform}-${process.arch}@1.7.12`;
  return installCached(spec, 'bin/restate-server', 'npm run engines -- restate');
}

/** Returns the names of those that are still absent. */
export function installEngines(wanted = Object.keys(engines)) {
  const absent = [];
  const canInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  for (const name of wanted) {
    const {program, packages, install, prepare = () => undefined, built} = engines[name];
    if (install !== undefined) {
      say(`${name}: ${install()} is installed`);
      continue;
    }
    if (!isOnPath(program) && canInstall) installWithApt(packages);
    const problem = isOnPath(program) ? prepare() : `install it with ${aptCommand(packages)}`;
    if (problem !== undefined) absent.push(name);
    const state = built === undefined ? 'installed' : `installed, and the rest is built in ${built()}`;
    say(problem === undefined ? `${name}: ${program} is ${state}` : `${name}: absent; ${problem}`);
  }
  return absent;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const named = process.argv.slice(2);
  const unknown = named.find((name) => !Object.hasOwn(engines, name));
  if (unknown !== undefined) fail(`\`${unknown}\` is not an engine: use ${Object.keys(engines).join(', ')}`, 2);
  if (process.platform !== 'linux') fail('engines of calls need Linux', 2);
  const absent = installEngines(named.length === 0 ? undefined : named);
  if (absent.length > 0) process.exitCode = 1;
}
