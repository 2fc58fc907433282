// Work that only one process of the workspace may do at a time, such as running a session or a program. A process that died does not
// block it.
import {isKernelError} from '@lumenflow/kernel';
import {createProcessRegistry, WorkspaceLock} from '@lumenflow/kernel/node';

export interface ExclusiveWork<T> {
  /** Folder of the lock. */
  readonly folder: string;
  /** How long to wait for another process. */
  readonly timeoutMs: number;
  run(): Promise<T>;
  /** Another process does it. */
  busy(): T | Promise<T>;
}

export async function runExclusively<T>({folder, timeoutMs, run, busy}: ExclusiveWork<T>): Promise<T> {
  const lock = new WorkspaceLock({folder, processes: createProcessRegistry(), timeoutMs});
  try {
    await lock.enter();
  } catch (error) {
    lock.close();
    if (!isKernelError(error) || error.code !== 'LOCK_UNAVAILABLE') throw error;
    return await busy();
  }
  try {
    return await run();
  } finally {
    lock.leave();
    lock.close();
  }
}
