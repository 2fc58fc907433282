// The Merkle tree over one log, and its signed heads. A leaf is the SHA-256 of a line, the same hash that chains the
// lines; so a proof that a record is in the log needs the record's hash and not its neighbours.
import {
  checkpointText,
  encodeHex,
  KernelError,
  MerkleTree,
  openNote,
  parseCheckpoint,
  signNote,
  type NoteSigner,
  type NoteVerifier,
} from '@lumenflow/kernel';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {FileOperations} from '../log/file-operations.ts';
import {LogCursor} from '../log/log-cursor.ts';
import type {LineFold} from '../log/log-follower.ts';
import {segmentPath, syncSegments} from '../log/segment-files.ts';
import {sha256Bytes} from '../system/sha256.ts';
import {readFrontier, writeFrontier} from './frontier-file.ts';
import {keepNote, listNotes, readNote} from './note-files.ts';

/** Lines hashed before others get their turn: well under a millisecond. */
const linesPerTurn = 300;

/** Something else that is built from the same lines and kept with the frontier. */
export interface TreeCompanion extends LineFold {
  state(): unknown;
  /** False, and nothing changed, for what `state` did not give. */
  restore(state: unknown): boolean;
}

export interface LogTreeOptions {
  /** `traces` or `events`; with the signer's name it makes the checkpoints' origin. */
  readonly name: string;
  readonly logFolder: string;
  readonly noteFolder: string;
  readonly frontierPath: string;
  readonly signer: NoteSigner;
  readonly verifiers: readonly NoteVerifier[];
  /** Distinguishes this process's temporary files. */
  readonly owner: string;
  readonly files: FileOperations;
  readonly companion?: TreeCompanion;
}

export class LogTree {
  readonly #options: LogTreeOptions;
  #tree = new MerkleTree(sha256Bytes);
  #cursor: LogCursor;

  constructor(options: LogTreeOptions) {
    this.#options = options;
    this.#cursor = new LogCursor({folder: options.logFolder});
  }

  get logFolder(): string {
    return this.#options.logFolder;
  }

  /** The size of the newest checkpoint on disk; 0 when there is none. */
  newestSize(): number {
    return listNotes(this.#options.noteFolder).at(-1) ?? 0;
  }

  /** Signs a head over the first `size` lines, all of which stand, and gives the note. */
  async sign(size: number): Promise<string> {
    const {name, logFolder, noteFolder, frontierPath, signer, owner, files} = this.#options;
    const newest = this.newestSize();
    if (newest > 0 && newest >= size) return readNote(noteFolder, newest);
    this.#useFrontier(newest);
    await this.#growTo(size);
    // A signature must not outlive what it is over: after a power cut the log would seem cut by a hand.
    await syncSegments(files, logFolder, newest);
    const note = signNote(checkpointText({origin: `${signer.name}/${name}`, size, root: this.#tree.root()}), signer);
    await keepNote(noteFolder, size, note);
    const companion = this.#options.companion?.state();
    writeFrontier(frontierPath, {position: this.#cursor.position, range: this.#tree.range(), companion}, owner);
    return note;
  }

  close(): void {
    this.#cursor.close();
  }

  /** Starts from what another process has hashed and signed, when that is further than this one is. */
  #useFrontier(newest: number): void {
    const {noteFolder, frontierPath, verifiers, companion} = this.#options;
    if (newest <= this.#tree.size) return;
    const frontier = readFrontier(frontierPath);
    if (frontier?.range.size !== newest || !MerkleTree.isRange(frontier.range)) return;
    const signed = parseCheckpoint(openNote(readNote(noteFolder, newest), verifiers)?.text ?? '');
    const tree = new MerkleTree(sha256Bytes, frontier.range);
    if (signed?.size !== newest || encodeHex(signed.root) !== encodeHex(tree.root())) return;
    if (companion?.restore(frontier.companion) === false) return;
    this.#tree = tree;
    this.#cursor.moveTo(frontier.position);
  }

  async #growTo(size: number): Promise<void> {
    const {companion} = this.#options;
    while (this.#tree.size < size) {
      const limit = Math.min(linesPerTurn, size - this.#tree.size);
      const stop = this.#cursor.advance((line, place) => {
        if (companion?.add(line, place) === false) return false;
        this.#tree.append(Buffer.from(place.hash, 'hex'));
        return true;
      }, limit);
      if (stop.kind !== 'limit') {
        const {segment, seq} = this.#cursor.position;
        const path = segmentPath(this.#options.logFolder, segment);
        const reason = stop.kind === 'wrong' ? stop.reason : 'is missing';
        throw new KernelError('LOG_CORRUPT', `\`${path}\` line ${seq - segment + 2} ${reason}`);
      }
      await nextTurn();
    }
  }
}
