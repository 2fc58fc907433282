// A state on files together with its signed log, as a runtime has them.
import {openSigningKeys, type SigningKeyOptions} from '../signed-log/note-key.ts';
import type {OpenSignedLog} from '../signed-log/open-signed-log.ts';
import {openFileState, type FileState, type FileStateOptions} from './open-file-state.ts';
import {openWorkspaceLog, type WorkspaceLogOptions} from './open-workspace-log.ts';

export interface SignedState extends FileState {
  readonly signed: OpenSignedLog;
}

export type SignedStateOptions = FileStateOptions & SigningKeyOptions & Omit<WorkspaceLogOptions, 'keys'>;

export async function openSignedState(options: SignedStateOptions): Promise<SignedState> {
  const state = await openFileState(options);
  try {
    const signed = await openWorkspaceLog(state, {...options, keys: await openSigningKeys(options)});
    return {
      ...state,
      signed,
      async close() {
        try {
          await signed.close();
        } finally {
          await state.close();
        }
      },
    };
  } catch (error) {
    await state.close();
    throw error;
  }
}
