// Processes that a test starts and kills, all on one machine: one registry for each.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';

export interface ProcessTable {
  start(): ProcessRegistry;
  /** From now on, no registry reports this process as alive. */
  kill(processId: string): void;
}

export function createProcessTable(): ProcessTable {
  const alive = new Set<string>();
  let started = 0;
  return {
    start() {
      started += 1;
      const processId = `process.${started}`;
      alive.add(processId);
      return {processId, isAlive: (id) => alive.has(id)};
    },
    kill: (processId) => void alive.delete(processId),
  };
}
