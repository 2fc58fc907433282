// The memory of a control group: its bound, and whether the kernel has ended a process because of it.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {groupFolder, type GroupFolder} from './group-folder.ts';

export interface MemoryGroup {
  readonly folder: string;
  /** Undefined if nothing bounds it. */
  readonly boundBytes: number | undefined;
  readonly ranOut: boolean;
}

export const memoryBoundFile = {1: 'memory.limit_in_bytes', 2: 'memory.max'} as const;
const killsFile = {1: 'memory.oom_control', 2: 'memory.events'} as const;

/** Undefined if the process has ended, or the kernel counts no memory of groups. */
export function memoryGroupOf(pid: number): MemoryGroup | undefined {
  const group = groupFolder('/sys/fs/cgroup', 'memory', readIfThere(`/proc/${pid}/cgroup`));
  if (group === undefined) return undefined;
  const bound = Number.parseInt(readIfThere(join(group.folder, memoryBoundFile[group.version])), 10);
  return {folder: group.folder, boundBytes: Number.isNaN(bound) ? undefined : bound, ranOut: ranOutOfMemoryIn(group)};
}

export function ranOutOfMemoryIn({version, folder}: GroupFolder): boolean {
  return /^oom_kill [1-9]/m.test(readIfThere(join(folder, killsFile[version])));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process or the group is gone, or the kernel does not report it.
    return '';
  }
}
