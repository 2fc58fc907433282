// Lends the evidence to a command that only reads it: of a host, or from the files where nothing can or should be written, and where
// no host can start.
import {isKernelError} from '@lumenflow/kernel';
import {openEvidenceReader, readWorkspace, type RecordedEvidence} from '@lumenflow/kernel/node';
import {accessSync, constants, existsSync} from 'node:fs';
import {join} from 'node:path';
import type {CliContext} from './command.ts';
import {findStateFolder} from './lookup/find-state-folder.ts';
import {findWorkspace} from './lookup/find-workspace.ts';
import {namedArchive} from './state/named-archive.ts';
import {withHost} from './with-host.ts';

/**
 * `folder`: a copy. A workspace on a read-only disk, or of another user, is read from its files, too, and so is one that does not load:
 * what happened can be read while its workspace.yaml or a pack is being repaired.
 */
export async function withEvidence<T>(
  context: CliContext,
  folder: string | undefined,
  work: (recorded: RecordedEvidence) => Promise<T>,
): Promise<T> {
  if (folder !== undefined || isReadOnly(context)) return await withFiles(context, folder, work);
  let isLoaded = false;
  try {
    return await withHost(context, async ({runtime}) => {
      isLoaded = true;
      return await work(runtime);
    });
  } catch (error) {
    if (isLoaded || !isLoadFailure(error) || !(await hasFiles(context))) throw error;
    context.notify(
      context.errorStyle.warning(
        '! the workspace does not load, so these are the records in its files: run `lumenflow check`',
      ),
    );
    return await withFiles(context, undefined, work);
  }
}

async function withFiles<T>(
  context: CliContext,
  folder: string | undefined,
  work: (recorded: RecordedEvidence) => Promise<T>,
): Promise<T> {
  const stateFolder = findStateFolder(context, folder);
  const reader = openEvidenceReader(stateFolder, await namedArchive(context, {stateFolder}));
  try {
    return await work(reader);
  } finally {
    reader.close();
  }
}

function isLoadFailure(error: unknown): boolean {
  return isKernelError(error) && error.code === 'LOAD_FAILED';
}

/** Whether the records are files. Those of a workspace that names another store may be old. */
async function hasFiles(context: CliContext): Promise<boolean> {
  if (!existsSync(join(findStateFolder(context), 'evidence', 'traces'))) return false;
  const read = await readWorkspace({root: findWorkspace(context), env: context.env});
  return !read.ok || (read.value.spec.state?.kind ?? 'files') === 'files';
}

/** Whether the state is there and cannot be written. */
export function isReadOnly(context: CliContext): boolean {
  try {
    accessSync(join(findWorkspace(context), '.lumenflow', 'kernel'), constants.W_OK);
    return false;
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'EROFS' || code === 'EACCES') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
