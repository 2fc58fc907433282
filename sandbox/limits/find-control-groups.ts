// Finds by trying in which control groups this process may make others: always below its own, so that whatever bounds
// the host bounds its sandboxes too.
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openControlGroups, type ControlGroups, type GroupLimit, type GroupParent} from './control-groups.ts';

const controllers: Readonly<Record<GroupLimit, string>> = {memory_bytes: 'memory', processes: 'pids'};
const leafName = 'lumenflow-host';

export interface GroupPlaces {
  /** Where control groups are mounted. */
  readonly root: string;
  /** As `/proc/self/cgroup` has it. */
  readonly own: string;
  readonly pid: number;
}

/** Undefined where no limit can be held this way. */
export function findControlGroups(places: GroupPlaces | undefined = placesOfHost()): ControlGroups | undefined {
  if (places === undefined) return undefined;
  const parents = (Object.keys(controllers) as GroupLimit[]).flatMap((limit) => parentFor(limit, places) ?? []);
  return parents.length === 0 ? undefined : openControlGroups(parents, places.pid);
}

function placesOfHost(): GroupPlaces | undefined {
  try {
    return {root: '/sys/fs/cgroup', own: readFileSync('/proc/self/cgroup', 'utf8'), pid: process.pid};
  } catch {
    // Not Linux, or a kernel without control groups.
    return undefined;
  }
}

function parentFor(limit: GroupLimit, {root, own, pid}: GroupPlaces): GroupParent | undefined {
  const controller = controllers[limit];
  const first = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own)?.[1];
  if (first !== undefined) {
    const folder = join(root, controller, first);
    return canMakeGroups(folder) ? {limit, version: 1, folder} : undefined;
  }
  const second = /^0::(.*)$/m.exec(own)?.[1];
  // A host that has moved to its leaf makes groups beside it.
  const folder = second === undefined ? undefined : join(root, second.replace(new RegExp(`/${leafName}$`), ''));
  return folder !== undefined && isDelegated(folder, controller, pid) && canMakeGroups(folder)
    ? {limit, version: 2, folder}
    : undefined;
}

/** Groups of the second generation pass a controller on only when no process is in them: ours moves to a leaf, if it is alone. */
function isDelegated(folder: string, controller: string, pid: number): boolean {
  const passedOn = join(folder, 'cgroup.subtree_control');
  try {
    if (!words(join(folder, 'cgroup.controllers')).includes(controller)) return false;
    if (words(passedOn).includes(controller)) return true;
    const inside = words(join(folder, 'cgroup.procs'));
    if (inside.length > 0) {
      if (inside.length > 1 || inside[0] !== String(pid)) return false;
      const leaf = join(folder, leafName);
      if (!existsSync(leaf)) mkdirSync(leaf);
      writeFileSync(join(leaf, 'cgroup.procs'), String(pid));
    }
    writeFileSync(passedOn, `+${controller}`);
    return true;
  } catch {
    // Not ours to change.
    return false;
  }
}

function words(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split(/\s+/).filter(Boolean);
}

function canMakeGroups(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, 'lumenflow-trial-')));
    return true;
  } catch {
    // EACCES or EROFS: not ours to change.
    return false;
  }
}
