// Filesystem: rearranging it.
import {release, version} from 'node:os';
import {saidSo, type Attack} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';

const native = (name: string, title: string, script: string): Attack => ({
  name,
  title,
  attempts: [({root, outside}) => perl(script, root, outside)],
  succeeded: saidSo,
});

const kernelName = (): string => `${release()} ${version()}\n`;

const tmpfs = `my ($type, $at, $none) = ('tmpfs', "$ARGV[0]/work/sub", '');`;

export const mountAttacks: readonly Attack[] = [
  native(
    'mount',
    'mounts a file system',
    `${tmpfs} ok(syscall($nr{mount}, $type, $at, $type, 0, $none), 'mount') and syscall($nr{umount2}, $at, 2)`,
  ),
  native(
    'bind-mount',
    'binds one folder over another',
    `my ($from, $to, $none) = ($ARGV[1], "$ARGV[0]/work/sub", ''); ok(syscall($nr{mount}, $from, $to, $none, 4096, $none), 'bind') and syscall($nr{umount2}, $to, 2)`,
  ),
  native(
    'move-mount',
    'asks for a file system by the new mount calls',
    `my $type = 'tmpfs'; ok(syscall($nr{fsopen}, $type, 0), 'fsopen')`,
  ),
  native(
    'open-tree',
    'clones a mount tree',
    `my $path = '/'; ok(syscall($nr{open_tree}, -100, $path, 1), 'open_tree')`,
  ),
  native('unshare-mount', 'makes a mount namespace', `ok(syscall($nr{unshare}, 0x20000), 'unshare')`),
  native(
    'unshare-user',
    'makes a user namespace, to be root in it',
    `ok(syscall($nr{unshare}, 0x10000000), 'unshare')`,
  ),
  native(
    'clone-user',
    'makes a user namespace by clone3',
    `my $args = pack('Q8', 0x10000000, 0, 0, 0, 17, 0, 0, 0); my $r = syscall($nr{clone3}, $args, 64); POSIX::_exit(0) if $r == 0; ok($r, 'clone3')`,
  ),
  native('chroot', 'changes the root', `my $path = "$ARGV[0]/work"; ok(syscall($nr{chroot}, $path), 'chroot')`),
  native(
    'pivot-root',
    'pivots the root in a new namespace',
    `my ($new, $none) = ("$ARGV[0]/work/sub", ''); syscall($nr{unshare}, 0x20000); syscall($nr{mount}, $none, my $top = '/', $none, 0x44000, $none); syscall($nr{mount}, $new, $new, $none, 4096, $none); ok(syscall($nr{pivot_root}, $new, $new), 'pivot_root')`,
  ),
  native(
    'overlay',
    'lays a file system over another',
    `my $w = "$ARGV[0]/work"; mkdir "$w/$_" for 'up', 'wk'; my ($type, $at, $options) = ('overlay', "$w/sub", "lowerdir=/etc,upperdir=$w/up,workdir=$w/wk"); system('mount', '-t', 'tmpfs', 'tmpfs', $w); mkdir "$w/$_" for 'up', 'wk', 'sub'; ok(syscall($nr{mount}, $type, $at, $type, 0, $options), 'overlay'); system('umount', '-l', $_) for $at, $w`,
  ),
  {
    name: 'unshare-program',
    title: 'becomes root in namespaces by unshare(1), and mounts',
    attempts: [
      ({root}) => shell('unshare -Urm sh -c \'mount -t tmpfs tmpfs "$1/work/sub" && echo "did it"\' sh "$1"', root),
    ],
    succeeded: saidSo,
  },
  native(
    'loop-device',
    'asks for a loop device',
    `sysopen(my $f, '/dev/loop-control', O_RDWR) or die "open: $!"; ok(syscall($nr{ioctl}, fileno($f), 0x4C82, 0), 'loop')`,
  ),
  native(
    'kernel-memory',
    'opens /dev/mem, /dev/kmem, /dev/kmsg, /dev/port',
    `for my $d (qw(mem kmem kmsg port)) { ok(sysopen(my $f, "/dev/$d", O_RDWR) ? 0 : -1, $d) }`,
  ),
  native(
    'disk',
    'opens a disk of /dev',
    `for my $d (glob '/dev/vd* /dev/sd* /dev/nvme*n* /dev/dm-* /dev/xvd*') { ok(sysopen(my $f, $d, O_RDONLY) ? 0 : -1, $d) }`,
  ),
  {
    name: 'core-pattern',
    title: 'sets kernel.core_pattern, which the kernel runs as root',
    // Its own value: the machine shares it with others.
    attempts: [
      () => shell('v=$(cat /proc/sys/kernel/core_pattern); echo "$v" >/proc/sys/kernel/core_pattern && echo "did it"'),
    ],
    succeeded: saidSo,
  },
  {
    name: 'sysctls',
    title: 'opens any of /proc/sys for writing',
    attempts: [
      () =>
        kernelName() +
        shell('find /proc/sys -type f | while read -r f; do (: >>"$f") 2>/dev/null && echo "did it: $f"; done'),
    ],
    // A kernel of the call's own ends with it.
    succeeded: (outside) => saidSo(outside) && outside.said.includes(kernelName()),
  },
  {
    name: 'proc-files',
    title: 'opens sysrq-trigger, irq, scsi, mtrr of /proc for writing',
    attempts: [
      // A masked file is /dev/null.
      () =>
        shell(
          'for f in /proc/sysrq-trigger /proc/irq/*/smp_affinity /proc/scsi/scsi /proc/mtrr /proc/timer_list; do [ -c "$f" ] && continue; (: >>"$f") 2>/dev/null && echo "did it: $f"; done',
        ),
    ],
    succeeded: saidSo,
  },
  {
    name: 'sysfs',
    title: 'opens any of /sys/kernel for writing',
    attempts: [
      () =>
        shell(
          'find /sys/kernel -maxdepth 3 -type f | while read -r f; do (: >>"$f") 2>/dev/null && echo "did it: $f" && break; done',
        ),
    ],
    succeeded: saidSo,
  },
  {
    name: 'release-agent',
    title: "sets a cgroup's release agent, which the kernel runs as root",
    attempts: [
      () =>
        shell(
          'for f in $(find /sys/fs/cgroup -maxdepth 3 -name release_agent); do v=$(cat $f); echo "$v" >$f && echo "did it: $f" && break; done',
        ),
    ],
    succeeded: saidSo,
  },
  {
    name: 'cgroup',
    title: 'creates a cgroup',
    attempts: [
      ({marker}) =>
        shell(
          'for d in /sys/fs/cgroup /sys/fs/cgroup/*/; do mkdir "$d/$1" 2>/dev/null && echo "did it: $d" && rmdir "$d/$1" && break; done',
          marker,
        ),
    ],
    succeeded: saidSo,
  },
];
