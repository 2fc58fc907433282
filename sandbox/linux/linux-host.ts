// The parts of a Linux machine that its sandboxes are built from. They are looked up once per backend.
import {existsSync, lstatSync, readlinkSync} from 'node:fs';
import type {ControlGroups} from '../limits/control-groups.ts';
import {findControlGroups} from '../limits/find-control-groups.ts';
import {findLanguageSettings} from './language-settings.ts';

export interface LinuxHost {
  /** Top-level entries such as /bin: the target if it is a symlink, or undefined for a directory. */
  readonly topLevel: readonly {readonly path: string; readonly link: string | undefined}[];
  /** Folders of /etc that languages need at start. */
  readonly languageSettings: readonly string[];
  /** Parts of /proc that reach the kernel and that exist here. */
  readonly kernelPaths: readonly string[];
  /** Parts of /proc that show the kernel or other users' keys, and that exist here: files to be hidden. */
  readonly maskedPaths: readonly string[];
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

export function lookAtLinux(): LinuxHost {
  return {
    topLevel: topLevelPaths
      .filter((path) => existsSync(path))
      .map((path) => ({path, link: lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined})),
    languageSettings: findLanguageSettings(),
    kernelPaths: kernelPaths.filter((path) => existsSync(path)),
    maskedPaths: maskedPaths.filter((path) => existsSync(path)),
    controlGroups: findControlGroups(),
    uid: process.getuid?.() ?? 65534,
    gid: process.getgid?.() ?? 65534,
  };
}
