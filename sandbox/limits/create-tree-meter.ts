// Measures a sandbox by adding up its processes: all that an ordinary user without control groups can do.
import type {Meter} from './meter.ts';
import {memoryOnce} from './memory-once.ts';
import {descendantsOf, figuresOf, inodesUsedIn, memoryFileBytes} from './process-tree.ts';

/**
 * All below `pid` is measured, or below each of several. `uncounted`: how many of them are not the call's own; by default the first process inside, for a
 * `pid` outside that has started it.
 */
export function createTreeMeter(pid: number | readonly number[], uncounted = 1): Meter {
  let peakMemoryBytes = 0;
  return {
    read() {
      const list = (): readonly number[] => [pid].flat().flatMap(descendantsOf);
      const descendants = list();
      const figures = descendants.flatMap((descendant) => figuresOf(descendant) ?? []);
      const innermost = descendants.at(-1);
      if (figures.length === 0 || innermost === undefined) return undefined;
      const sum = (key: 'memoryBytes' | 'cpuMs'): number => figures.reduce((total, each) => total + each[key], 0);
      const inFiles = memoryFileBytes(descendants);
      const simple = sum('memoryBytes') + inFiles;
      // Exact figures cost more, and matter only above those that are known already.
      const memoryBytes = simple > peakMemoryBytes ? Math.min(simple, (memoryOnce(list) ?? 0) + inFiles) : simple;
      peakMemoryBytes = Math.max(peakMemoryBytes, memoryBytes, ...figures.map((each) => each.peakMemoryBytes));
      const tmpFiles = inodesUsedIn(innermost, ['/tmp', '/dev/shm']);
      return {memoryBytes, peakMemoryBytes, cpuMs: sum('cpuMs'), processes: figures.length - uncounted, tmpFiles};
    },
    ranOutOfMemory: () => false,
  };
}
