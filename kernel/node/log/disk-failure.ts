// Node's errors of a failing disk, as the error that callers receive: the state cannot be read or written.
import {KernelError} from '@lumenflow/kernel';

/** KernelError LOG_UNAVAILABLE for a failed system call; any other error as it is. */
export function diskFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  return new KernelError('LOG_UNAVAILABLE', `the state cannot be read or written: ${error.message}`, {cause: error});
}

export function throwDiskFailure(error: unknown): never {
  throw diskFailure(error);
}
