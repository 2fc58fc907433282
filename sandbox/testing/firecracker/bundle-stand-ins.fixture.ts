// Writes the stand-ins for Firecracker and its jailer as programs.
import {chmodSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {build} from 'esbuild';

export interface StandIns {
  readonly program: string;
  readonly jailer: string;
}

export async function bundleStandIns(folder: string): Promise<StandIns> {
  const [program, jailer] = [join(folder, 'firecracker'), join(folder, 'jailer')];
  await build({
    entryPoints: [new URL('stand-in.fixture.ts', import.meta.url).pathname],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    banner: {js: `#!${process.execPath}`},
    conditions: ['@lumenflow/source'],
    logLevel: 'warning',
  });
  writeFileSync(jailer, jailerScript(dirname(process.execPath)));
  for (const path of [program, jailer]) chmodSync(path, 0o755);
  return {program, jailer};
}

/** Like the jailer, it copies the program and changes to the root directory and the user. The system appears there for Node and QEMU. */
function jailerScript(nodeFolder: string): string {
  return `#!/bin/sh -e
fail() { echo "Jailer error: $1" >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in
    --id) id=$2 ;; --exec-file) file=$2 ;; --uid) uid=$2 ;; --gid) gid=$2 ;; --chroot-base-dir) base=$2 ;;
    --) shift; break ;;
    *) fail "Found argument '$1' which wasn't expected" ;;
  esac
  shift 2
done
case $id in ''|*[!A-Za-z0-9-]*) fail "Invalid instance ID" ;; esac
case $uid$gid in ''|*[!0-9]*) fail "Failed to parse the user" ;; esac
name=\${file##*/}
export root="$base/$name/$id/root"
mkdir -p "$root"
cp "$file" "$root/$name"
export user="$uid:$gid" nodeFolder='${nodeFolder}'
exec unshare --mount sh -ec '
  for each in /usr /dev /proc "$nodeFolder"; do
    mkdir -p "$root$each"
    mount --rbind "$each" "$root$each"
  done
  for each in bin lib lib64 sbin; do [ ! -L /$each ] || [ -e "$root/$each" ] || ln -s "$(readlink /$each)" "$root/$each"; done
  mkdir "$root/boot"
  mount --bind /boot "$root/boot"
  exec chroot --userspec="$user" --groups= "$root" "$@"
' sh "/$name" --id "$id" "$@"
`;
}
