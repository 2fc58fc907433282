// Shells and Perl, which every Debian has: the way to system calls that Node does not offer.
import {spawnSync} from 'node:child_process';

const timeoutMs = 8_000;

function run(command: string, args: readonly string[]): string {
  const {stdout, stderr, error} = spawnSync(command, [...args], {encoding: 'utf8', timeout: timeoutMs});
  return `${stdout ?? ''}${stderr ?? ''}${error === undefined ? '' : error.message}`.slice(0, 20_000);
}

/** Its prints. `$1` … are the arguments. */
export function shell(script: string, ...args: readonly (string | number)[]): string {
  return run('/bin/sh', ['-c', script, 'sh', ...args.map(String)]);
}

/** Its prints. `@ARGV` are the arguments; `ok(…)` prints that the kernel allowed it, or why not; `$nr{name}` are system calls. */
export function perl(script: string, ...args: readonly (string | number)[]): string {
  return run('/usr/bin/perl', ['-e', `${prelude}\n${script}`, ...args.map(String)]);
}

/** Numbers on x64 and arm64. */
const systemCalls: Readonly<Record<string, readonly [x64: number, arm64: number]>> = {
  add_key: [248, 217],
  bpf: [321, 280],
  chroot: [161, 51],
  clone3: [435, 435],
  fsopen: [430, 430],
  init_module: [175, 105],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  kcmp: [312, 272],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  linkat: [265, 37],
  memfd_create: [319, 279],
  mount: [165, 40],
  mq_open: [240, 180],
  mq_timedreceive: [243, 183],
  mq_timedsend: [242, 182],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  openat: [257, 56],
  perf_event_open: [298, 241],
  personality: [135, 92],
  pidfd_getfd: [438, 438],
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  pivot_root: [155, 41],
  prlimit64: [302, 261],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  reboot: [169, 142],
  sched_setaffinity: [203, 122],
  sethostname: [170, 161],
  setns: [308, 268],
  setpriority: [141, 140],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
};

const column = process.arch === 'arm64' ? 1 : 0;
const numbers = Object.entries(systemCalls).map(([name, pair]) => `${name} => ${pair[column]}`);
const prelude = `use Socket; use Fcntl; use POSIX (); my %nr = (${numbers.join(', ')}); $| = 1;
sub ok { my ($r, $what) = @_; print(defined $r && $r != -1 ? "did it: $what\\n" : "$what: $!\\n"); defined $r && $r != -1 }`;
