// Connects signing, proofs and verification to a workspace's state, in any store.
import {isKernelError, type VerifyReport} from '@lumenflow/kernel';
import type {ContentStore, TaskStore} from '@lumenflow/kernel/adapters';
import type {RemoteOptions} from '@lumenflow/schemas';
import {sha256Hex} from '../system/sha256.ts';
import {openSignedLog, type OpenSignedLog} from '../signed-log/open-signed-log.ts';
import type {SigningKeys} from '../signed-log/note-key.ts';
import type {ReadContent} from '../verify/blob-check.ts';
import {openWitnesses, type WitnessesOptions} from '../witness/open-witnesses.ts';
import {verifyState, type VerifyKeys} from '../verify/verify-evidence.ts';
import {requiredWitnesses} from '../witness/required-witnesses.ts';
import type {WorkspaceState} from './workspace-state.ts';

export interface WorkspaceLogOptions {
  readonly keys: SigningKeys;
  /** The keys by which workers attest calls. */
  readonly workers?: RemoteOptions | undefined;
  /** Records between checkpoints that are made in the background; default 4,096. */
  readonly checkpointEvery?: number;
  /** How long lines stay unsigned at most while the log is open, in milliseconds; default 60,000. */
  readonly unsignedMs?: number;
  /** Witnesses that cosign checkpoints; default none. */
  readonly witnesses?: WitnessesOptions | undefined;
  /** Called with what could not be done in the background. */
  readonly onWarning?: (message: string) => void;
}

/** Rejects with KernelError LOG_CORRUPT if a log has fewer lines than were signed. */
export async function openWorkspaceLog(state: WorkspaceState, options: WorkspaceLogOptions): Promise<OpenSignedLog> {
  const {keys, workers, checkpointEvery = 4_096, unsignedMs = 60_000, witnesses, onWarning = () => undefined} = options;
  const {logs, evidence, treeCaches, cosignatures: shared} = state;
  return await openSignedLog({
    logs,
    evidence,
    ...keys,
    caches: treeCaches,
    checkpointEvery,
    unsignedMs,
    openWitnesses: witnesses && ((head) => openWitnesses({...witnesses, shared}, head)),
    onWarning,
    verify: () =>
      verifyWorkspaceState(state, {
        keys: keys.verifierKeys(),
        workers,
        witnesses: witnesses && {...requiredWitnesses(witnesses.settings), stateFolder: witnesses.stateFolder},
      }),
  });
}

/** Verifies the records of a state, wherever they are. */
export async function verifyWorkspaceState(state: WorkspaceState, keys: VerifyKeys): Promise<VerifyReport> {
  const {logs, contents, tasks, treeCaches, cosignatures} = state;
  const reader = state.openContentReader?.() ?? {read: readFrom(contents), close: () => undefined};
  const tileFolders = treeCaches && {events: treeCaches.events.tileFolder, traces: treeCaches.traces.tileFolder};
  try {
    const specHash = specHashFrom(tasks);
    return await verifyState({logs, tileFolders, cosignatures, readContent: reader.read, specHash}, keys);
  } finally {
    reader.close();
  }
}

function readFrom(contents: ContentStore): ReadContent {
  return async (ref) => {
    const text = await unlessCorrupt(() => contents.get(ref));
    if (text === 'corrupt') return {kind: 'changed'};
    return text === undefined ? {kind: 'missing'} : {kind: 'found', hash: sha256Hex(text.value)};
  };
}

function specHashFrom(tasks: TaskStore) {
  return async (taskId: string, amendedHash?: string): Promise<string | undefined> => {
    const read = await unlessCorrupt(() => tasks.read(taskId, amendedHash));
    return read === 'corrupt' ? 'corrupt' : read?.value.spec_hash;
  };
}

/** What is stored but damaged is a finding, and no reason to stop. */
async function unlessCorrupt<T>(
  read: () => Promise<T | undefined>,
): Promise<{readonly value: T} | 'corrupt' | undefined> {
  try {
    const value = await read();
    return value === undefined ? undefined : {value};
  } catch (error) {
    if (isKernelError(error) && error.code === 'LOG_CORRUPT') return 'corrupt';
    throw error;
  }
}
