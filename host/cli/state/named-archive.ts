// The archive that a command reads: the one it names, or that of the workspace.
import {readWorkspace, type ArchiveStore} from '@lumenflow/kernel/node';
import type {ArchiveSettings} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {openArchive} from '../../archive/open-archive.ts';
import type {CliContext} from '../command.ts';
import {findWorkspace, hasWorkspace} from '../lookup/find-workspace.ts';

/** `location` is the value of --archive. A copy (`stateFolder`) has the settings of the workspace that it is in, if it is in one. */
export async function namedArchive(
  context: CliContext,
  {location, stateFolder}: {readonly location?: string | undefined; readonly stateFolder: string},
): Promise<ArchiveStore | undefined> {
  const {env, cwd, workspace} = context;
  const own = join(stateFolder, '..', '..');
  const isHere = workspace !== undefined || hasWorkspace(cwd);
  const workspaceRoot = existsSync(join(own, 'workspace.yaml')) || !isHere ? own : findWorkspace(context);
  const kept = workspaceRoot === own || location !== undefined ? await settingsOf(workspaceRoot, env) : undefined;
  const settings = location === undefined ? kept : {...kept, location};
  return settings && (await openArchive(settings, {workspaceRoot, env}));
}

async function settingsOf(root: string, env: CliContext['env']): Promise<ArchiveSettings | undefined> {
  const read = await readWorkspace({root, env});
  return read.ok ? read.value.spec.archive : undefined;
}
