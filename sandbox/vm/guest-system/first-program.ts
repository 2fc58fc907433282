// The first program of a guest, a shell script: it loads the drivers, mounts the system, and becomes the agent.

/** How a guest identifies the port to its host among its devices. */
export const portName = 'lumenflow';

export interface FirstProgramInput {
  readonly modules: readonly string[];
  readonly nodePath: string;
}

export function firstProgram({modules, nodePath}: FirstProgramInput): string {
  return `#!/bin/busybox sh
b=/bin/busybox
$b mount -t devtmpfs devtmpfs /dev
$b mount -t proc proc /proc
$b mount -t sysfs sysfs /sys
for module in ${modules.join(' ')}; do $b insmod /modules/$module || $b echo "the driver $module does not load"; done
i=0
until [ -b /dev/vda ] && $b grep -qx ${portName} /sys/class/virtio-ports/*/name 2>/dev/null; do
  i=$((i+1)); [ $i -gt 2000 ] && { $b echo 'the devices do not appear'; $b poweroff -f; }
  $b usleep 5000
done
$b mount -t ext4 -o ro /dev/vda /system || $b poweroff -f
$b mount -t tmpfs -o mode=755 tmpfs /system/run
$b mount -t tmpfs -o mode=1777 tmpfs /system/tmp
$b mount -t tmpfs -o mode=755,size=100%,nr_inodes=0 tmpfs /system/files
$b cp /agent.cjs /system/run/agent.cjs
for tree in dev proc sys; do $b mount -o move /$tree /system/$tree; done
$b mount -t cgroup2 cgroup2 /system/sys/fs/cgroup
echo '+memory +pids' >/system/sys/fs/cgroup/cgroup.subtree_control
exec $b switch_root /system /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin '${nodePath}' /run/agent.cjs
`;
}
