// `npm run engines [-- NAME...]`: installs the programs that start containers and machines of calls, each by itself: a distribution
// may lack one.
import {pathToFileURL} from 'node:url';
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
  // Debian has no package of Firecracker itself; this program unpacks the kernel of its guests.
  firecracker: {program: 'lz4', packages: ['lz4']},
};

/** Returns the names of those that are still absent. */
export function installEngines(wanted = Object.keys(engines)) {
  const canInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  for (const name of wanted) {
    const {program, packages} = engines[name];
    if (!isOnPath(program) && canInstall) installWithApt(packages);
    say(
      isOnPath(program)
        ? `${name}: ${program} is installed`
        : `${name}: absent; install it with ${aptCommand(packages)}`,
    );
  }
  return wanted.filter((name) => !isOnPath(engines[name].program));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const named = process.argv.slice(2);
  const unknown = named.find((name) => !Object.hasOwn(engines, name));
  if (unknown !== undefined) fail(`\`${unknown}\` is not an engine: use ${Object.keys(engines).join(', ')}`, 2);
  if (process.platform !== 'linux') fail('engines of calls need Linux', 2);
  const absent = installEngines(named.length === 0 ? undefined : named);
  if (absent.length > 0) process.exitCode = 1;
}
