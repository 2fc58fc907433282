// Control groups of Linux, if this process may make them: the kernel itself then limits memory and the number of processes, for
// root too. Both versions are supported, since a machine may still assign a controller to the first.
import {mkdtempSync, readdirSync, rmdirSync, writeFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import type {ResourceLimits} from '@lumenflow/schemas';
import {hasEnded, thisProcess} from '../process-name.ts';
import type {GroupFolder} from './group-folder.ts';
import {memoryBoundFile, memoryGroupOf, ranOutOfMemoryIn} from './memory-group.ts';

export type GroupLimit = 'memory_bytes' | 'processes';

export interface ControlGroup {
  /** What the kernel enforces. */
  readonly enforces: readonly GroupLimit[];
  /** The process, which must not have started anything until this resolves. The kernel takes its time for it. */
  add(pid: number): Promise<void>;
  /** Of this group, or of one below that the process `inside` is in: the first version counts each group for itself. */
  ranOutOfMemory(inside?: number): boolean;
  /** Call it once the group is empty. */
  remove(): Promise<void>;
}

export interface ControlGroups {
  readonly enforces: readonly GroupLimit[];
  /** Undefined if no limit is requested, or if the kernel refuses. */
  open(limits: ResourceLimits): ControlGroup | undefined;
}

/** A folder in which groups can be created, for one controller. */
export interface GroupParent extends GroupFolder {
  readonly limit: GroupLimit;
}

interface ControllerFiles {
  readonly bound: string;
  /** Swap would be a way around the bound; not every kernel counts it. */
  readonly swap?: {readonly file: string; readonly value: (bound: number) => number};
}

const filesOf: Readonly<Record<GroupLimit, Readonly<Record<1 | 2, ControllerFiles>>>> = {
  memory_bytes: {
    1: {bound: memoryBoundFile[1], swap: {file: 'memory.memsw.limit_in_bytes', value: (bound) => bound}},
    2: {bound: memoryBoundFile[2], swap: {file: 'memory.swap.max', value: () => 0}},
  },
  processes: {1: {bound: 'pids.max'}, 2: {bound: 'pids.max'}},
};

/** bwrap outside and its first process inside, which do not belong to the call. */
const ownProcesses = 2;
/** Each group's name says which process made it, so that those of a killed host can be removed. */
const namePrefix = 'lumenflow-';

export interface GroupOwner {
  readonly pid: number;
  /** The folder of the group that our process is in now. */
  folder(): string | undefined;
}

export function openControlGroups(parents: readonly GroupParent[], owner: GroupOwner): ControlGroups {
  for (const {folder} of parents) removeLeftBehind(folder);
  return {
    enforces: parents.map(({limit}) => limit),
    open(limits) {
      const asked = parents.filter(({limit}) => limits[limit] !== undefined);
      if (asked.length === 0) return undefined;
      void announceProcess(owner);
      return openGroup(asked, limits);
    },
  };
}

/**
 * Adding a process takes the kernel a grace period, which it need not wait for once more for the next one. So it begins while
 * that is being started, with our own process, which stays where it is.
 */
async function announceProcess({folder, pid}: GroupOwner): Promise<void> {
  const own = folder();
  if (own === undefined) return;
  try {
    await writeFile(join(own, 'cgroup.procs'), String(pid), {flag: 'r+'});
  } catch {
    // Not ours to write to: then the one to come takes its time.
  }
}

function openGroup(parents: readonly GroupParent[], limits: ResourceLimits): ControlGroup | undefined {
  const folders = new Map<string, string>();
  const remove = (): Promise<unknown> => Promise.all([...folders.values()].map(removeGroup));
  try {
    for (const {folder} of parents) {
      if (!folders.has(folder)) folders.set(folder, mkdtempSync(join(folder, `${namePrefix}${thisProcess()}-`)));
    }
    for (const parent of parents) setBound(parent, folders.get(parent.folder) ?? '', limits[parent.limit] ?? 0);
  } catch {
    // No groups are left, or this kernel rejects the bound: the limits are measured instead.
    void remove();
    return undefined;
  }
  const memory = parents.find(({limit}) => limit === 'memory_bytes');
  const group = memory && {...memory, folder: folders.get(memory.folder) ?? ''};
  let ranOut = false;
  const look = (inside?: number): boolean =>
    (ranOut ||= group !== undefined && (ranOutOfMemoryIn(group) || ranOutBelow(group, inside)));
  return {
    enforces: parents.map(({limit}) => limit),
    async add(process) {
      for (const folder of folders.values()) await writeFile(join(folder, 'cgroup.procs'), String(process));
    },
    ranOutOfMemory: look,
    async remove() {
      look();
      await remove();
    },
  };
}

function ranOutBelow({folder}: GroupFolder, inside: number | undefined): boolean {
  const below = inside === undefined ? undefined : memoryGroupOf(inside);
  return below?.ranOut === true && below.folder.startsWith(`${folder}/`);
}

function setBound({limit, version}: GroupParent, folder: string, value: number): void {
  const {bound, swap} = filesOf[limit][version];
  const whole = value + (limit === 'processes' ? ownProcesses : 0);
  writeFileSync(join(folder, bound), String(whole));
  if (swap !== undefined) writeIfThere(join(folder, swap.file), String(swap.value(whole)));
}

/** Processes that have just ended may still be counted for a moment. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (removeIfEmpty(folder)) return;
    await delay(20, undefined, {ref: false});
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    // EBUSY: something is left in it.
    return false;
  }
}

/** Groups of killed hosts. */
export function removeLeftBehind(parent: string): void {
  for (const name of namesIn(parent)) {
    const owner = new RegExp(`^${namePrefix}(\\d+-\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && hasEnded(owner)) removeIfEmpty(join(parent, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not mounted here, or not readable: it contains nothing of ours.
    return [];
  }
}

function writeIfThere(path: string, text: string): void {
  try {
    writeFileSync(path, text, {flag: 'r+'});
  } catch {
    // This kernel does not count swap.
  }
}
