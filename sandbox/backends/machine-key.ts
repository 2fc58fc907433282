// What the result of a trial depends on besides its backend: this machine since its start, the namespaces and the user of this process,
// its Node, and this program. A kept result is another trial's as soon as one of them differs.
import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {release} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const namespaces: readonly string[] = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'];

/** Of Linux. */
export function machineKey(): readonly string[] {
  return [
    release(),
    readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
    ...namespaces.map((name) => readlinkSync(`/proc/self/ns/${name}`)),
    `${process.geteuid?.()} ${process.getegid?.()}`,
    process.version,
    fileIdentity(process.execPath),
    ...programKey(),
  ];
}

/** Of this package: what takes part in starts and trials. One that is bundled is a single file. */
const folders: readonly string[] =
  'backends bubblewrap commands containerd engine execution limits linux network oci profile seccomp self-test'.split(
    ' ',
  );

function programKey(): readonly string[] {
  const own = fileURLToPath(import.meta.url);
  const paths = folders.flatMap((name) => filesIn(join(dirname(dirname(own)), name)));
  return [own, ...paths].map(fileIdentity);
}

function filesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, {withFileTypes: true});
    return entries.flatMap((entry) => (entry.isFile() ? join(folder, entry.name) : []));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Differs after each replacement of the file, even by one of the same size and time. For a socket: after each start of its program. */
export function fileIdentity(path: string): string {
  const {dev, ino, size, mtimeNs, ctimeNs} = lstatSync(path, {bigint: true});
  return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
