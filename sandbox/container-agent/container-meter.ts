// What a call uses in its container: all processes there but the agent and the first one, and the kernel's own word on memory.
import {existsSync, readFileSync} from 'node:fs';
import {createTreeMeter} from '../limits/create-tree-meter.ts';
import type {Meter} from '../limits/meter.ts';

const firstProcess = 1;
/** Of control groups of the first version and of the second, as a container sees its own. */
const memoryEvents: readonly string[] = ['/sys/fs/cgroup/memory/memory.oom_control', '/sys/fs/cgroup/memory.events'];

export function containerMeter(): Meter {
  // The first process adopts what the program leaves behind. It has started its own one, which only sleeps.
  const {read} = createTreeMeter([firstProcess, process.pid], 1);
  return {
    read,
    ranOutOfMemory: () =>
      memoryEvents.some((path) => existsSync(path) && /^oom_kill [1-9]/m.test(readFileSync(path, 'latin1'))),
  };
}
