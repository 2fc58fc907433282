// Where the control group of a process is, for one controller.
import {join} from 'node:path';

export interface GroupFolder {
  readonly version: 1 | 2;
  readonly folder: string;
}

/** `groups`: as `/proc/PID/cgroup` has it; `root`: where control groups are mounted. Undefined if the process is in no such group. */
export function groupFolder(root: string, controller: string, groups: string): GroupFolder | undefined {
  const first = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(groups)?.[1];
  if (first !== undefined) return {version: 1, folder: join(root, controller, first)};
  const second = /^0::(.*)$/m.exec(groups)?.[1];
  return second === undefined ? undefined : {version: 2, folder: join(root, second)};
}
