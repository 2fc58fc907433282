// Lends the evidence to a command that only reads it: of a running host, or from the files where nothing can or should be written.
import {openEvidenceReader, type RecordedEvidence} from '@lumenflow/kernel/node';
import {accessSync, constants} from 'node:fs';
import {join} from 'node:path';
import type {CliContext} from './command.ts';
import {findStateFolder} from './lookup/find-state-folder.ts';
import {findWorkspace} from './lookup/find-workspace.ts';
import {namedArchive} from './state/named-archive.ts';
import {withHost} from './with-host.ts';

/** `folder`: a copy. A workspace on a read-only disk, or of another user, is read from its files, too. */
export async function withEvidence<T>(
  context: CliContext,
  folder: string | undefined,
  work: (recorded: RecordedEvidence) => Promise<T>,
): Promise<T> {
  if (folder === undefined && !isReadOnly(context)) return await withHost(context, ({runtime}) => work(runtime));
  const stateFolder = findStateFolder(context, folder);
  const reader = openEvidenceReader(stateFolder, await namedArchive(context, {stateFolder}));
  try {
    return await work(reader);
  } finally {
    reader.close();
  }
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
