// The first program of a guest, a shell script: it loads the drivers, mounts the system, opens the stream to the host, and becomes
// the agent.
import {networkSetUp, networkVariable} from '../machine-network.ts';
import type {GuestModule} from './find-kernel.ts';

/** How a guest identifies the port to its host among its devices. */
export const portName = 'lumenflow';

/** The variable of the kernel's command line with which a host asks for a connection to this port of it, over vsock. */
export const vsockVariable = 'lumenflow_vsock';

/** Of the agent: the stream to the host. */
export const streamFd = 3;

export interface FirstProgramInput {
  readonly modules: readonly Pick<GuestModule, 'name' | 'neededFor'>[];
  readonly nodePath: string;
}

/** Node has no sockets of this family. Perl connects one, and becomes the agent. */
const connect = [
  `$^F = ${streamFd};`,
  // AF_VSOCK and SOCK_STREAM; VMADDR_CID_HOST in a sockaddr_vm.
  'socket(my $host, 40, 1, 0) or die "no vsock: $!\\n";',
  'connect($host, pack("SSLLx4", 40, 0, shift, 2)) or die "no connection to the host: $!\\n";',
  `fileno($host) == ${streamFd} or die "an unexpected descriptor\\n";`,
  'exec @ARGV;',
].join(' ');

export function firstProgram({modules, nodePath}: FirstProgramInput): string {
  const namesFor = (...needs: readonly GuestModule['neededFor'][]): string =>
    modules
      .filter(({neededFor}) => needs.includes(neededFor))
      .map(({name}) => name)
      .join(' ');
  return `#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs devtmpfs /dev
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
modules='${namesFor(undefined, 'port')}'
[ -n "$${vsockVariable}" ] && modules='${namesFor(undefined, 'vsock')}'
[ -n "$${networkVariable}" ] && modules="$modules ${namesFor('network')}"
for module in $modules; do $b insmod /modules/$module || $b echo "the driver $module does not load"; done
find_stream() {
  if [ -n "$${vsockVariable}" ]; then [ -c /dev/vsock ]
  elif [ -n "$${networkVariable}" ] && ! [ -d /sys/class/net/eth0 ]; then false
  else port=$($b grep -lx ${portName} /sys/class/virtio-ports/*/name 2>/dev/null); fi
}
i=0
until [ -b /dev/vda ] && find_stream; do
  i=$((i+1)); [ $i -gt 2000 ] && { $b echo 'the devices do not appear'; $b poweroff -f; }
  $b usleep 5000
done
port=\${port%/name}
if [ -n "$${networkVariable}" ]; then
  ${networkSetUp()}
fi
[ -n "$${vsockVariable}" ] || exec ${streamFd}<>/dev/\${port##*/}
$b mount -t ext4 -o ro /dev/vda /system || $b poweroff -f
$b mount -t tmpfs -o mode=755 tmpfs /system/run
$b mount -t tmpfs -o mode=1777 tmpfs /system/tmp
$b mount -t tmpfs -o mode=755,size=100%,nr_inodes=0 tmpfs /system/files
$b cp /agent.cjs /system/run/agent.cjs
for tree in dev proc sys; do $b mount -o move /$tree /system/$tree; done
$b mount -t cgroup2 cgroup2 /system/sys/fs/cgroup
echo '+memory +pids' >/system/sys/fs/cgroup/cgroup.subtree_control
set -- /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin '${nodePath}' /run/agent.cjs
[ -n "$${vsockVariable}" ] && set -- /usr/bin/perl -e '${connect}' "$${vsockVariable}" "$@"
exec $b switch_root /system "$@"
`;
}
