// The processes below a process of ours, as /proc shows them. A sandbox's own first process adopts every orphan inside, so
// nothing that runs in a sandbox is missing.
import {closeSync, fstatSync, readdirSync, readFileSync, readlinkSync, statSync, statfsSync} from 'node:fs';
import {openPath} from '../files/open-path.ts';

/** Returns the child processes, from every thread. */
export function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    // It has ended, or this kernel does not list children.
    return [];
  }
}

/** Parents before children. */
export function descendantsOf(pid: number): readonly number[] {
  const found = [...childrenOf(pid)];
  for (let index = 0; index < found.length; index += 1) found.push(...childrenOf(found[index] ?? pid));
  return found;
}

export interface ProcessFigures {
  readonly pid: number;
  readonly parent: number;
  /** Where its program lies in memory, which each exec changes; undefined if the system does not show it. */
  readonly image: string | undefined;
  readonly memoryBytes: number;
  readonly peakMemoryBytes: number;
  /** Its own time and that of its children that have ended. */
  readonly cpuMs: number;
}

/** Undefined when the process has ended. */
export function figuresOf(pid: number): ProcessFigures | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      pid,
      parent: Number(fields[1]),
      image: imageOf(fields),
      memoryBytes: bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem'),
      peakMemoryBytes: bytesOf(status, 'VmHWM'),
      cpuMs: ticksOf(fields) * msPerTick,
    };
  } catch {
    // ENOENT or ESRCH: it ended during the inspection.
    return undefined;
  }
}

/** USER_HZ is 100 wherever Node runs. */
const msPerTick = 10;

function bytesOf(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024;
}

/** utime, stime, cutime and cstime: the 14th field to the 17th. The first of `fields` is the 3rd: the 2nd may contain anything. */
function ticksOf(fields: readonly string[]): number {
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** startcode, endcode and startstack: the 26th field to the 28th. */
function imageOf(fields: readonly string[]): string | undefined {
  const addresses = fields.slice(23, 26);
  return addresses.every((address) => Number(address) > 1) ? addresses.join(' ') : undefined;
}

/** Of memory that programs name by a descriptor alone: not in any process's own figures until it is mapped and touched. */
export function memoryFileBytes(pids: readonly number[]): number {
  const files = new Map<number, number>();
  for (const pid of pids) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const path = `/proc/${pid}/fd/${fd}`;
        if (!readlinkSync(path).startsWith('/memfd:')) continue;
        const {ino, blocks} = statSync(path);
        files.set(ino, blocks * 512);
      }
    } catch {
      // The process has ended, or has closed one since: the next measurement counts what is left.
    }
  }
  return [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Inodes used in the process's own file systems at these paths. */
export function inodesUsedIn(pid: number, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + inodesUsedAt(`/proc/${pid}/root${path}`, path), 0);
}

function inodesUsedAt(seen: string, path: string): number {
  let fd: number | undefined;
  try {
    // While a sandbox is mounted a path can lead elsewhere from one moment to the next, and a descriptor cannot.
    fd = openPath(seen);
    // Until its own are mounted it sees the host's.
    if (fstatSync(fd).dev === statSync(path, {throwIfNoEntry: false})?.dev) return 0;
    const {files, ffree} = statfsSync(`/proc/self/fd/${fd}`);
    return files - ffree;
  } catch {
    // The process has ended, or its file systems are not visible to us.
    return 0;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
