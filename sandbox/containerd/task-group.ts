// The control group of a container, where its runtime makes one on this machine. Either version of control groups may have it.
import {readFileSync} from 'node:fs';
import type {GroupLimit} from '../limits/control-groups.ts';
import type {GroupFolder} from '../limits/group-folder.ts';
import {memoryBoundFile, ranOutOfMemoryIn} from '../limits/memory-group.ts';

export interface TaskGroup {
  /** As an OCI configuration names it. */
  readonly path: string;
  /** Undefined if the kernel of this machine does not enforce the limit. */
  bound(limit: GroupLimit): number | undefined;
  /** Only before the group is removed. */
  ranOutOfMemory(): boolean;
}

const pidsFile = {1: 'pids.max', 2: 'pids.max'} as const;
const files = {
  memory_bytes: {controller: 'memory', file: memoryBoundFile},
  processes: {controller: 'pids', file: pidsFile},
};

export function taskGroup(id: string): TaskGroup {
  const path = `/${id}`;
  const groups = (controller: string): readonly GroupFolder[] => [
    {version: 1, folder: `/sys/fs/cgroup/${controller}${path}`},
    {version: 2, folder: `/sys/fs/cgroup${path}`},
  ];
  return {
    path,
    bound(limit) {
      const {controller, file} = files[limit];
      const bounds = groups(controller).map(({version, folder}) => Number(readIfThere(`${folder}/${file[version]}`)));
      return bounds.find((bound) => bound > 0);
    },
    ranOutOfMemory: () => groups('memory').some(ranOutOfMemoryIn),
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The other version, or the container has no group here.
    return '';
  }
}
