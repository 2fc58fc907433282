// What the call of a thread uses: the memory of its module, as last seen, and processor time, as the kernel counts it.
import type {Meter} from '../limits/meter.ts';
import {pageBytes} from './module/bound-module.ts';
import {threadCpuMs} from './thread-cpu-ms.ts';
import {slots, type ThreadData} from './thread-messages.ts';

const notStarted = -1;

/** For a call that is about to start. */
export function createThreadMeter(shared: ThreadData['shared'], ranOutOfMemory: () => boolean): Meter {
  Atomics.store(shared, slots.pages, 0);
  Atomics.store(shared, slots.cpuMsAtStart, notStarted);
  return {
    read() {
      const memoryBytes = Atomics.load(shared, slots.pages) * pageBytes;
      const startMs = Atomics.load(shared, slots.cpuMsAtStart);
      const nowMs = startMs === notStarted ? undefined : threadCpuMs(Atomics.load(shared, slots.threadId));
      const cpuMs = Math.max(0, (nowMs ?? startMs) - startMs);
      return {memoryBytes, peakMemoryBytes: memoryBytes, cpuMs, processes: 1, tmpFiles: 0};
    },
    ranOutOfMemory,
  };
}
