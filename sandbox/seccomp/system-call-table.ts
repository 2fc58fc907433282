// The system calls that a sandboxed process is refused, by architecture. Unlisted calls are allowed. The list covers access to
// other processes, the mount table and the kernel itself. It also covers calls that no tool needs and that have allowed escapes
// before.

export type Architecture = 'x64' | 'arm64';

/** Number on x64, number on arm64; undefined where the architecture has no such call. */
type Numbers = readonly [x64: number | undefined, arm64: number | undefined];

/** Answer EPERM. */
const refused: Readonly<Record<string, Numbers>> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Key rings are not namespaced.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  quotactl: [179, 60],
  // Files by handle go around mounts.
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  // Programs inside the kernel, and interfaces into it.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  lookup_dcookie: [212, 18],
  syslog: [103, 116],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  // The machine as a whole.
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  adjtimex: [159, 171],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  vhangup: [153, 58],
  nfsservctl: [180, 42],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  uselib: [134, undefined],
  ustat: [136, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  // Where memory lies.
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
};

/** Answer ENOSYS, as an older kernel would: callers fall back to calls that this filter can inspect. */
const unknown: Readonly<Record<string, Numbers>> = {
  // Its flags lie in memory, where a filter cannot read them; libc falls back to clone.
  clone3: [435, 435],
  // io_uring performs calls that a filter cannot inspect.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  quotactl_fd: [443, 443],
  open_tree_attr: [467, 467],
  // Its mode lies in memory; callers fall back to openat.
  openat2: [437, 437],
};

/** Allowed or refused by their arguments. */
export interface InspectedCalls {
  readonly clone: number;
  readonly ioctl: number;
  readonly socket: number;
  readonly socketpair: number;
}

/** Calls that give a file its mode, and the position of the mode in their arguments. */
const modeSetters: Readonly<Record<string, readonly [numbers: Numbers, argument: number]>> = {
  chmod: [[90, undefined], 1],
  fchmod: [[91, 52], 1],
  fchmodat: [[268, 53], 2],
  fchmodat2: [[452, 452], 2],
  creat: [[85, undefined], 1],
  mknod: [[133, undefined], 1],
  mknodat: [[259, 33], 2],
};

/** Likewise, but only with a flag that makes a file; the flags come before the mode. */
const openers: Readonly<Record<string, readonly [numbers: Numbers, argument: number]>> = {
  open: [[2, undefined], 2],
  openat: [[257, 56], 3],
};

export interface ModeCall {
  readonly name: string;
  readonly nr: number;
  /** Index of the mode among the arguments. */
  readonly mode: number;
}

export interface SystemCallTable {
  /** AUDIT_ARCH_* of linux/audit.h. */
  readonly auditArch: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly unknown: Readonly<Record<string, number>>;
  readonly inspected: InspectedCalls;
  readonly modeSetters: readonly ModeCall[];
  readonly openers: readonly ModeCall[];
}

export function systemCallTable(architecture: Architecture): SystemCallTable {
  const column = architecture === 'x64' ? 0 : 1;
  return {
    auditArch: architecture === 'x64' ? 0xc000003e : 0xc00000b7,
    refused: numbersIn(refused, column),
    unknown: numbersIn(unknown, column),
    inspected:
      architecture === 'x64'
        ? {clone: 56, ioctl: 16, socket: 41, socketpair: 53}
        : {clone: 220, ioctl: 29, socket: 198, socketpair: 199},
    modeSetters: modeCallsIn(modeSetters, column),
    openers: modeCallsIn(openers, column),
  };
}

function modeCallsIn(calls: typeof modeSetters, column: 0 | 1): readonly ModeCall[] {
  return Object.entries(calls).flatMap(([name, [numbers, mode]]) => {
    const nr = numbers[column];
    return nr === undefined ? [] : [{name, nr, mode}];
  });
}

function numbersIn(calls: Readonly<Record<string, Numbers>>, column: 0 | 1): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [name, numbers] of Object.entries(calls)) {
    const number = numbers[column];
    if (number !== undefined) found[name] = number;
  }
  return found;
}
