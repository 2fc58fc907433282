// Opens the records of a workspace without a host, to look at them or to move them.
import {createProcessRegistry, openFileState, type WorkspaceState} from '@lumenflow/kernel/node';
import {join} from 'node:path';
import {openWorkspaceState} from '../../workspace-state/open-workspace-state.ts';
import {openArchive} from '../../archive/open-archive.ts';
import type {CliContext} from '../command.ts';
import type {StateOfWorkspace} from './state-of.ts';

export function kernelFolderOf(workspaceRoot: string): string {
  return join(workspaceRoot, '.lumenflow', 'kernel');
}

export async function openStateOf(
  {env, notify}: CliContext,
  {workspaceRoot, settings, archive: archiveSettings}: StateOfWorkspace,
): Promise<WorkspaceState> {
  const archive = archiveSettings && (await openArchive(archiveSettings, {workspaceRoot, env}));
  if (settings.kind !== 'files') {
    return await openWorkspaceState(settings, {workspaceRoot, env, onWarning: notify, archive});
  }
  const stateFolder = kernelFolderOf(workspaceRoot);
  return await openFileState({stateFolder, processes: createProcessRegistry(), onWarning: notify, archive});
}
