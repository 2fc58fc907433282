// A stored spec, or that what is stored cannot be read as one: then its bytes are not those that the kernel wrote.
import type {TaskSpec} from '@lumenflow/schemas';
import {isKernelError} from '../errors.ts';
import type {TaskStore} from '../ports.ts';

export type StoredSpec = {readonly spec: TaskSpec; readonly spec_hash: string} | 'unreadable' | undefined;

export async function readSpec(store: TaskStore, taskId: string, amendedHash?: string): Promise<StoredSpec> {
  try {
    return await store.read(taskId, amendedHash);
  } catch (error) {
    if (isKernelError(error) && error.code === 'LOG_CORRUPT') return 'unreadable';
    throw error;
  }
}
