// The parts of this machine that a bubblewrap sandbox is built from. They are looked up once per backend.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {isExecutable} from '../commands/executable-at.ts';
import {lookAtLinux, type LinuxHost} from '../linux/linux-host.ts';

export interface HostSystem extends LinuxHost {
  /** Absolute path of bwrap. */
  readonly bwrapPath: string;
  /** Whether this bwrap can mount open descriptors (`--bind-fd`): releases since 2024. */
  readonly bindsFds: boolean;
  /** Absolute path of prlimit, undefined when there is none. */
  readonly prlimitPath: string | undefined;
  /** Absolute path of bash, undefined when there is none. */
  readonly bashPath: string | undefined;
  /** Descriptors that our parent left open for every child; Node cannot close them. */
  readonly inheritedFds: readonly number[];
}

/** Undefined when bwrap is not on the given PATH. */
export function findBwrap(searchPath: string): string | undefined {
  return searchPath
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, 'bwrap'))
    .find(isExecutable);
}

export function lookAtHost(programs: Pick<HostSystem, 'bwrapPath' | 'bindsFds' | 'prlimitPath'>): HostSystem {
  return {
    ...programs,
    ...lookAtLinux(),
    bashPath: ['/usr/bin/bash', '/bin/bash'].find(isExecutable),
    inheritedFds: inheritedFds(),
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
