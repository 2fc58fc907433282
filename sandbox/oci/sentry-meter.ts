// Measures a gVisor sandbox: the memory of its programs is one file of its kernel, which all its processes map.
import type {Meter} from '../limits/meter.ts';
import {descendantsOf, figuresOf, memoryFileBytes} from '../limits/process-tree.ts';

/** Its kernel, the process that opens files for it, and the one that the others are copied from. */
const ownProcesses = 3;

export function createSentryMeter(pid: number): Meter {
  let peakMemoryBytes = 0;
  return {
    read() {
      const descendants = descendantsOf(pid);
      const figures = descendants.flatMap((descendant) => figuresOf(descendant) ?? []);
      if (figures.length === 0) return undefined;
      const memoryBytes = memoryFileBytes(descendants);
      peakMemoryBytes = Math.max(peakMemoryBytes, memoryBytes);
      return {
        memoryBytes,
        peakMemoryBytes,
        cpuMs: figures.reduce((total, {cpuMs}) => total + cpuMs, 0),
        processes: Math.max(0, figures.length - ownProcesses),
        // Its files in memory are part of its memory.
        tmpFiles: 0,
      };
    },
    ranOutOfMemory: () => false,
  };
}
