// The parts of this machine that a bubblewrap sandbox is built from. They are looked up once per backend.
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import {join} from 'node:path';
import type {ControlGroups} from '../limits/control-groups.ts';
import {findControlGroups} from '../limits/find-control-groups.ts';
import {findLanguageSettings} from './language-settings.ts';

export interface HostSystem {
  /** Absolute path of bwrap. */
  readonly bwrapPath: string;
  /** Whether this bwrap can mount open descriptors (`--bind-fd`): releases since 2024. */
  readonly bindsFds: boolean;
  /** Absolute path of prlimit, undefined when there is none. */
  readonly prlimitPath: string | undefined;
  /** Top-level places such as /bin: the target if it is a symlink, or undefined for a directory. */
  readonly topLevel: readonly {readonly path: string; readonly link: string | undefined}[];
  /** Folders of /etc that languages need at start. */
  readonly languageSettings: readonly string[];
  /** Parts of /proc that reach the kernel and that exist here. */
  readonly kernelPaths: readonly string[];
  /** Parts of /proc that show the kernel or other users' keys, and that exist here: files to be hidden. */
  readonly maskedPaths: readonly string[];
  /** Absolute path of bash, undefined when there is none. */
  readonly bashPath: string | undefined;
  /** Descriptors that our parent left open for every child; Node cannot close them. */
  readonly inheritedFds: readonly number[];
  /** Undefined if this user may not create control groups. */
  readonly controlGroups: ControlGroups | undefined;
  readonly uid: number;
  readonly gid: number;
}

const topLevelPaths: readonly string[] = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** With all capabilities dropped root still owns these files: only a read-only mount keeps them. */
const kernelPaths: readonly string[] = [
  '/proc/sys',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/acpi',
  '/proc/scsi',
  '/proc/asound',
  '/proc/sysrq-trigger',
  '/proc/mtrr',
];

/** Information on the kernel, the machine and the user's keys: no tool needs it, and an attack may. */
const maskedPaths: readonly string[] = [
  '/proc/keys',
  '/proc/key-users',
  '/proc/cmdline',
  '/proc/config.gz',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/slabinfo',
  '/proc/vmallocinfo',
  '/proc/pagetypeinfo',
  '/proc/kallsyms',
  '/proc/kcore',
  '/proc/kmsg',
  '/proc/kpagecount',
  '/proc/kpageflags',
  '/proc/kpagecgroup',
  '/proc/sched_debug',
  '/proc/latency_stats',
  '/proc/interrupts',
  '/proc/iomem',
  '/proc/ioports',
  '/proc/modules',
];

/** Undefined when bwrap is not on the given PATH. */
export function findBwrap(searchPath: string): string | undefined {
  return searchPath
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'bwrap'))
    .find(isExecutable);
}

/** Without symlinks; undefined if it is not an executable file. */
export function executableAt(path: string): string | undefined {
  return isExecutable(path) ? realpathSync(path) : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not executable: try the next directory.
    return false;
  }
}

export function lookAtHost(programs: Pick<HostSystem, 'bwrapPath' | 'bindsFds' | 'prlimitPath'>): HostSystem {
  return {
    ...programs,
    topLevel: topLevelPaths
      .filter((path) => existsSync(path))
      .map((path) => ({path, link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined})),
    languageSettings: findLanguageSettings(),
    kernelPaths: kernelPaths.filter((path) => existsSync(path)),
    maskedPaths: maskedPaths.filter((path) => existsSync(path)),
    bashPath: ['/usr/bin/bash', '/bin/bash'].find(isExecutable),
    inheritedFds: inheritedFds(),
    controlGroups: findControlGroups(),
    uid: process.getuid?.() ?? 65534,
    gid: process.getgid?.() ?? 65534,
  };
}

/** O_CLOEXEC of asm-generic/fcntl.h, as fdinfo shows it. */
const closeOnExec = 0o2000000;

function inheritedFds(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && isInherited(fd));
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    // Closed since it was listed: the directory listing itself uses one of these.
    return false;
  }
}
