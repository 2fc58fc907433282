// Finds the control groups in which this process may create others. They are always below its own, so that the limits of the host
// apply to its sandboxes too.
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {
  openControlGroups,
  removeLeftBehind,
  type ControlGroups,
  type GroupLimit,
  type GroupParent,
} from './control-groups.ts';
import {groupFolder, type GroupFolder} from './group-folder.ts';

const controllers: Readonly<Record<GroupLimit, string>> = {memory_bytes: 'memory', processes: 'pids'};
const leafName = 'lumenflow-host';

export interface GroupPaths {
  /** Where control groups are mounted. */
  readonly root: string;
  /** As `/proc/self/cgroup` has it. */
  readonly own: string;
  readonly pid: number;
}

/** Undefined if no limit can be enforced this way. */
export function findControlGroups(places: GroupPaths | undefined = groupPathsOfHost()): ControlGroups | undefined {
  if (places === undefined) return undefined;
  const parents = (Object.keys(controllers) as GroupLimit[]).flatMap((limit) => parentFor(limit, places) ?? []);
  return parents.length === 0
    ? undefined
    : openControlGroups(parents, {pid: places.pid, folder: () => ownFolder(places.root)});
}

/** Read each time: another program may have moved this process. */
function ownFolder(root: string): string | undefined {
  const own = groupPathsOfHost()?.own ?? '';
  const groups = Object.values(controllers).flatMap((controller) => groupFolder(root, controller, own) ?? []);
  return (groups.find(({version}) => version === 1) ?? groups[0])?.folder;
}

/** Removes the groups that killed hosts left; creates none, and changes nothing else. */
export function reapControlGroups(places: GroupPaths | undefined = groupPathsOfHost()): void {
  if (places === undefined) return;
  const folders = (Object.keys(controllers) as GroupLimit[]).flatMap(
    (limit) => parentFolder(controllers[limit], places)?.folder ?? [],
  );
  for (const folder of new Set(folders)) removeLeftBehind(folder);
}

function groupPathsOfHost(): GroupPaths | undefined {
  try {
    return {root: '/sys/fs/cgroup', own: readFileSync('/proc/self/cgroup', 'utf8'), pid: process.pid};
  } catch {
    // Not Linux, or a kernel without control groups.
    return undefined;
  }
}

function parentFor(limit: GroupLimit, places: GroupPaths): GroupParent | undefined {
  const controller = controllers[limit];
  const found = parentFolder(controller, places);
  if (found === undefined) return undefined;
  const mayUse = found.version === 1 || isDelegated(found.folder, controller, places.pid);
  return mayUse && canMakeGroups(found.folder) ? {limit, ...found} : undefined;
}

function parentFolder(controller: string, {root, own}: GroupPaths): GroupFolder | undefined {
  const group = groupFolder(root, controller, own);
  if (group?.version !== 2) return group;
  // A host that has moved to its leaf makes groups beside it.
  return {...group, folder: group.folder.replace(new RegExp(`/${leafName}$`), '')};
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
    // EACCES or EROFS: this process may not change it.
    return false;
  }
}
