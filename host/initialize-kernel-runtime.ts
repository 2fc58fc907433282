// The specified way to start: a kernel on a workspace directory. The packs and the dispatcher are this host's.
import type {KernelRuntime} from '@lumenflow/kernel';
import {startHost, type HostOptions} from './compose.ts';

/**
 * Returns the runtime of a host on `workspaceRoot`, the directory with workspace.yaml. Closing the runtime closes the host.
 * Throws `KernelError` LOAD_FAILED with every problem of the workspace and its packs.
 */
export async function initializeKernelRuntime(options: HostOptions): Promise<KernelRuntime> {
  const host = await startHost(options);
  return {...host.runtime, close: () => host.close()};
}
