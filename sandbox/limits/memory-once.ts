// The memory of processes, each page counted once. Between a fork and the exec that follows it, the system shows the whole memory of
// the parent for its child too: a program that starts others would seem to use twice as much.
import {readdirSync, readFileSync} from 'node:fs';
import {figuresOf, type ProcessFigures} from './process-tree.ts';

/** A child can be seen between its start and the moment its parent waits for it. */
const attempts = 3;

/** `list`: ids of all processes, as they are now. Undefined if there is none. */
export function memoryOnce(list: () => readonly number[]): number | undefined {
  let least: number | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const all = list();
    const waiting = new Map(
      parentsIn(all.flatMap((pid) => figuresOf(pid) ?? [])).map((pid) => [pid, waitingThreads(pid)]),
    );
    // After the threads: what its parent waits for now was waited for then.
    const figures = all.flatMap((pid) => figuresOf(pid) ?? []);
    if (figures.length === 0) return least;
    least = Math.min(least ?? Infinity, sumOf(figures, waiting));
    if (waiting.size === 0) return least;
  }
  return least;
}

function sumOf(figures: readonly ProcessFigures[], waiting: ReadonlyMap<number, number>): number {
  const children = childrenByParent(figures);
  const forked = new Set([...children].flatMap(([parent, pids]) => [parent, ...pids]));
  const bytes = new Map(
    figures.map(({pid, memoryBytes}) => [
      pid,
      forked.has(pid) ? Math.min(proportionOf(pid) ?? memoryBytes, memoryBytes) : memoryBytes,
    ]),
  );
  // A thread that waits has one child that uses the very memory of its parent. Of those it may be, the smallest one is not counted.
  for (const [parent, pids] of children) {
    const bySize = pids.toSorted((a, b) => (bytes.get(a) ?? 0) - (bytes.get(b) ?? 0));
    for (const pid of bySize.slice(0, waiting.get(parent) ?? 0)) bytes.delete(pid);
  }
  return [...bytes.values()].reduce((total, each) => total + each, 0);
}

function parentsIn(figures: readonly ProcessFigures[]): readonly number[] {
  return [...childrenByParent(figures).keys()];
}

/** Children that execute the same image as their parent: they have not executed another program since they were forked. */
function childrenByParent(figures: readonly ProcessFigures[]): ReadonlyMap<number, readonly number[]> {
  const images = new Map(figures.map(({pid, image}) => [pid, image]));
  const found = new Map<number, number[]>();
  for (const {pid, parent, image} of figures) {
    if (image === undefined || images.get(parent) !== image) continue;
    found.set(parent, [...(found.get(parent) ?? []), pid]);
  }
  return found;
}

/** Threads between a vfork and the exec of its child. Other waits must not hide the memory of a child. */
function waitingThreads(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).filter((thread) =>
      /clone|fork/.test(readFileSync(`/proc/${pid}/task/${thread}/wchan`, 'latin1')),
    ).length;
  } catch {
    // It has ended, or one of its threads has.
    return 0;
  }
}

/** Of pages that several processes have, its part. Undefined if the system does not show it. */
function proportionOf(pid: number): number | undefined {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    const [anonymous, shared] = ['Pss_Anon', 'Pss_Shmem'].map((name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]),
    );
    const bytes = ((anonymous ?? Number.NaN) + (shared ?? Number.NaN)) * 1024;
    return Number.isNaN(bytes) ? undefined : bytes;
  } catch {
    // It has ended, or belongs to another user.
    return undefined;
  }
}
