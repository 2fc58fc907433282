// Makes proofs that can be verified without the log, from the log's tree and its newest checkpoint. Each proof is verified before it is
// returned.
import {KernelError} from '@lumenflow/kernel';
import {
  blobsOf,
  consistencyPath,
  encodeHex,
  inclusionPath,
  isConsistent,
  isIncluded,
  leafHash,
  parseCheckpoint,
  type Checkpoint,
  type EvidenceStore,
  type SubtreeHashes,
} from '@lumenflow/kernel/adapters';
import type {ConsistencyProof, EvidenceProof, EvidenceRecord, ProvenRecord} from '@lumenflow/schemas';
import {sha256Bytes} from '../system/sha256.ts';
import type {Checkpointer} from './checkpointer.ts';
import type {CheckpointStore} from './log-reader.ts';
import type {LogTree} from './log-tree.ts';

export interface EvidenceProverParts {
  readonly evidence: Pick<EvidenceStore, 'lines'>;
  readonly checkpointer: Checkpointer;
  /** Of the records. */
  readonly checkpoints: CheckpointStore;
  /** The published C2SP verifier keys. */
  readonly verifierKeys: () => readonly string[];
}

export class EvidenceProver {
  readonly #parts: EvidenceProverParts;

  constructor(parts: EvidenceProverParts) {
    this.#parts = parts;
  }

  /** Undefined when there is no such receipt. Signs a checkpoint when the newest does not cover it. */
  async prove(receiptId: string): Promise<EvidenceProof | undefined> {
    const lines = await this.#parts.evidence.lines(receiptId);
    if (lines.length === 0) return undefined;
    const records = lines.map((line) => JSON.parse(line) as EvidenceRecord);
    return this.#parts.checkpointer.signThen(async (note, tree) => {
      const proven = await this.#fromTree(note, tree, (hashes, checkpoint) =>
        allOrNone(lines.map((line, at) => proveLine(line, (records[at]?.seq ?? 0) - 1, {hashes, checkpoint}))),
      );
      const blobs = [...blobsOf(records)];
      const verifier_key = this.#keyOf(note);
      return {version: 1, receipt_id: receiptId, records: proven, blobs, checkpoint: note, verifier_key};
    });
  }

  /** Undefined when no checkpoint of this size was signed. */
  async proveConsistency(fromSize: number): Promise<ConsistencyProof | undefined> {
    const older = await this.#checkpointOf(fromSize);
    if (older === undefined) return undefined;
    return this.#parts.checkpointer.signThen(async (note, tree) => {
      const path = await this.#fromTree(note, tree, (hashes, checkpoint) => {
        const made = consistencyPath(fromSize, checkpoint.size, hashes);
        return isConsistent(sha256Bytes, {from: older, to: checkpoint, path: made}) ? made.map(encodeHex) : undefined;
      });
      return {version: 1, from_size: fromSize, path, checkpoint: note, verifier_key: this.#keyOf(note)};
    });
  }

  /** The stored tree may be damaged; it is then rebuilt from the log, once. */
  async #fromTree<T>(
    note: string,
    tree: LogTree,
    make: (hashes: SubtreeHashes, checkpoint: Checkpoint) => T | undefined,
  ): Promise<T> {
    const checkpoint = checkpointIn(note);
    if (checkpoint === undefined) throw new KernelError('LOG_CORRUPT', 'the newest checkpoint cannot be parsed');
    const made = await tryToMake(tree, checkpoint, make);
    if (made !== undefined) return made;
    tree.startOver();
    const again = await tryToMake(tree, checkpoint, make);
    if (again !== undefined) return again;
    throw new KernelError('LOG_CORRUPT', 'the records are not those that the newest checkpoint was signed over');
  }

  #keyOf(note: string): string {
    const name = /\n\n— ([^\s+]+) /u.exec(note)?.[1] ?? '';
    const key = this.#parts.verifierKeys().find((candidate) => candidate.startsWith(`${name}+`));
    if (key !== undefined) return key;
    throw new KernelError('LOG_CORRUPT', `the public key of the signer \`${name}\` is missing from \`evidence.pub\``);
  }

  async #checkpointOf(size: number): Promise<Checkpoint | undefined> {
    const note = await this.#parts.checkpoints.read(size);
    return note === undefined ? undefined : checkpointIn(note);
  }
}

async function tryToMake<T>(
  tree: LogTree,
  checkpoint: Checkpoint,
  make: (hashes: SubtreeHashes, checkpoint: Checkpoint) => T | undefined,
): Promise<T | undefined> {
  const hashes = await tree.hashes(checkpoint.size);
  try {
    return make(hashes, checkpoint);
  } catch (error) {
    // A tile that is gone is as good as a wrong one.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof RangeError) return undefined;
    throw error;
  }
}

function proveLine(
  line: string,
  index: number,
  {hashes, checkpoint}: {readonly hashes: SubtreeHashes; readonly checkpoint: Checkpoint},
): ProvenRecord | undefined {
  const {size, root} = checkpoint;
  const path = inclusionPath(index, size, hashes);
  const holds = isIncluded(sha256Bytes, {
    leafHash: leafHash(sha256Bytes, sha256Bytes(line)),
    index,
    size,
    path,
    root,
  });
  return holds ? {line, index, path: path.map(encodeHex)} : undefined;
}

function allOrNone<T>(found: readonly (T | undefined)[]): T[] | undefined {
  const all = found.filter((value) => value !== undefined);
  return all.length === found.length ? all : undefined;
}

function checkpointIn(note: string): Checkpoint | undefined {
  return parseCheckpoint(note.slice(0, note.lastIndexOf('\n\n') + 1));
}
