// Processes that a test starts and kills: one registry for each, all of one machine.
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';

export interface ProcessTable {
  start(): ProcessRegistry;
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
