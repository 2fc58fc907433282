// A log whose checkpoints a test signs itself, of any size and with any history.
import {
  checkpointText,
  consistencyPath,
  formatWitnessRequest,
  leafHash,
  MerkleTree,
  nodeHash,
  signNote,
  type SubtreeHashes,
} from '@lumenflow/kernel/adapters';
import {noteKeyOf, sha256Bytes} from '@lumenflow/kernel/node';
import {generateKeyPairSync} from 'node:crypto';

export interface WitnessedLog {
  readonly origin: string;
  readonly verifierKey: string;
  /** The body of a request: `old` is the size that the witness cosigned last. */
  request(old: number, size: number, change?: {readonly path?: readonly Uint8Array[]; readonly old?: number}): string;
  note(size: number): string;
  /** Another history, by the same key. */
  fork(): WitnessedLog;
}

export function witnessedLog(origin = 'log.example'): WitnessedLog {
  const {signer, verifierKey} = noteKeyOf(origin, generateKeyPairSync('ed25519').privateKey);
  const withHistory = (history: string): WitnessedLog => {
    const leaf = (index: number): Uint8Array => Buffer.from(`${history}${index}`);
    const at = (level: number, index: number): Uint8Array =>
      level === 0
        ? leafHash(sha256Bytes, leaf(index))
        : nodeHash(sha256Bytes, at(level - 1, index * 2), at(level - 1, index * 2 + 1));
    const hashes: SubtreeHashes = {hash: sha256Bytes, at};
    const note = (size: number): string => {
      const tree = new MerkleTree(sha256Bytes);
      for (let index = 0; index < size; index += 1) tree.append(leaf(index));
      return signNote(checkpointText({origin, size, root: tree.root(), extensions: []}), signer);
    };
    return {
      origin,
      verifierKey,
      note,
      request: (old, size, change = {}) =>
        formatWitnessRequest({
          oldSize: change.old ?? old,
          path: change.path ?? consistencyPath(old, size, hashes),
          note: note(size),
        }),
      fork: () => withHistory(`${history}other`),
    };
  };
  return withHistory('entry');
}
