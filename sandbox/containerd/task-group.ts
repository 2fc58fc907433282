// The control group of a container, where its runtime makes one on this machine. Either version of control groups may have it.
import {readFileSync} from 'node:fs';
import type {GroupLimit} from '../limits/control-groups.ts';

export interface TaskGroup {
  /** As an OCI configuration names it. */
  readonly path: string;
  /** Undefined if the kernel of this machine does not enforce the limit. */
  bound(limit: GroupLimit): number | undefined;
  /** Only before the group is removed. */
  ranOutOfMemory(): boolean;
}

const boundFiles: Readonly<Record<GroupLimit, readonly [controller: string, first: string, second: string]>> = {
  memory_bytes: ['memory', 'memory.limit_in_bytes', 'memory.max'],
  processes: ['pids', 'pids.max', 'pids.max'],
};

export function taskGroup(id: string): TaskGroup {
  const path = `/${id}`;
  const read = (controller: string, first: string, second: string): string | undefined =>
    readIfThere(`/sys/fs/cgroup/${controller}${path}/${first}`) ?? readIfThere(`/sys/fs/cgroup${path}/${second}`);
  return {
    path,
    bound(limit) {
      const bound = Number(read(...boundFiles[limit]) ?? NaN);
      return Number.isFinite(bound) ? bound : undefined;
    },
    ranOutOfMemory: () => /^oom_kill [1-9]/m.test(read('memory', 'memory.oom_control', 'memory.events') ?? ''),
  };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The other version, or the container has no group here.
    return undefined;
  }
}
