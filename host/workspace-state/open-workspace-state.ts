// Opens a workspace's records where its workspace.yaml says.
import type {ArchiveStore, WorkspaceState} from '@lumenflow/kernel/node';
import type {StateSettings} from '@lumenflow/schemas';
import {loadStatePackage, stateAddress} from './state-package.ts';

export interface OpenWorkspaceStateOptions {
  readonly workspaceRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onWarning: (message: string) => void;
  /** Where archived parts are. */
  readonly archive?: ArchiveStore | undefined;
}

/** For all kinds but files. Rejects with KernelError LOAD_FAILED, LOG_UNAVAILABLE. */
export async function openWorkspaceState(
  settings: StateSettings,
  {workspaceRoot, env, onWarning, archive}: OpenWorkspaceStateOptions,
): Promise<WorkspaceState> {
  const {openPostgresState} = await loadStatePackage(workspaceRoot);
  return await openPostgresState({...stateAddress(settings, env), leaseMs: settings.lease_ms, onWarning, archive});
}
