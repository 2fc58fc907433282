// The Merkle tree over one log, and its signed heads. A leaf is the SHA-256 of a line, the same hash that chains the
// lines; so a proof that a record is in the log needs the record's hash and not its neighbours.
import {KernelError} from '@lumenflow/kernel';
import {
  checkpointText,
  encodeHex,
  MerkleTree,
  openNote,
  parseCheckpoint,
  signNote,
  type NoteSigner,
  type NoteVerifier,
  type SubtreeHashes,
  type VisitSubtree,
} from '@lumenflow/kernel/adapters';
import {rmSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {FileOperations} from '../log/file-operations.ts';
import {LogCursor, type LineLocation} from '../log/log-cursor.ts';
import type {LineFold} from '../log/log-follower.ts';
import {segmentPath, syncSegments} from '../log/segment-files.ts';
import {sha256Bytes} from '../system/sha256.ts';
import {readFrontier, writeFrontier, type Frontier} from './frontier-file.ts';
import {keepNote, listNotes, readNote} from './note-files.ts';
import {TreeTiles} from './tree-tiles.ts';

/** Lines hashed before others get their turn: well under a millisecond. */
const linesPerTurn = 300;
/** Full tiles held before they are written, while the log is read. */
const tilesUnwrittenMax = 64;
/** And while it is followed: a checkpoint, which writes them, takes as long as the disk does; 8 MiB. */
const tilesFollowedMax = 1_024;

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
  /** Lines that stand for sure, of a log whose further lines are told to `follow`. */
  readonly told?: () => number;
}

export interface Signing {
  /** Brings all lines to disk, with what they refer to, and gives how many there are. */
  readonly settle: () => Promise<number>;
  readonly extensions?: readonly string[];
}

export class LogTree {
  readonly #options: LogTreeOptions;
  #tree = new MerkleTree(sha256Bytes);
  #cursor: LogCursor;
  readonly #tiles: TreeTiles;
  readonly #leaf = Buffer.alloc(32);
  readonly #visit: VisitSubtree = (level, hash) => this.#tiles.add(level, hash);

  constructor(options: LogTreeOptions) {
    this.#options = options;
    this.#tiles = new TreeTiles(options.noteFolder, options.files);
    this.#cursor = new LogCursor({folder: options.logFolder});
  }

  get logFolder(): string {
    return this.#options.logFolder;
  }

  /** The size of the newest checkpoint on disk; 0 when there is none. */
  newestSize(): number {
    return listNotes(this.#options.noteFolder).at(-1) ?? 0;
  }

  /** Takes in the log's next line, so that it need not be read again. One that is not the tree's next is read when it is needed. */
  follow(line: Buffer, place: LineLocation): void {
    const {seq, segment, offset, hash} = place;
    if (seq !== this.#tree.size + 1 || this.#tiles.unwritten >= tilesFollowedMax || !this.#take(line, place)) return;
    this.#cursor.moveTo({segment, offset: offset + line.length + 1, seq, head: hash});
  }

  /** Signs a head over `size` lines at least, all of which stand, and what else is vouched for; gives the note. */
  async sign({settle, extensions = []}: Signing): Promise<string> {
    const {name, logFolder, noteFolder, signer, files} = this.#options;
    const size = await settle();
    const newest = this.newestSize();
    if (newest > 0 && newest >= size) return readNote(noteFolder, newest);
    // It may be further than was asked for, by what the tree was told or what another process has signed.
    const frontier = await this.#reach(size);
    const {range} = frontier;
    const signed = this.newestSize();
    if (signed > 0 && signed >= range.size) return readNote(noteFolder, signed);
    if (range.size > size) await settle();
    // A signature must not outlive what it is over: after a power cut the log would seem cut by a hand.
    await syncSegments(files, logFolder, newest);
    const root = new MerkleTree(sha256Bytes, range).root();
    const note = signNote(
      checkpointText({origin: `${signer.name}/${name}`, size: range.size, root, extensions}),
      signer,
    );
    await keepNote(noteFolder, range.size, note);
    this.#keep(frontier);
    return note;
  }

  /** What proofs over the first `size` lines are made of; throws KernelError LOG_CORRUPT when there are fewer. */
  async hashes(size: number): Promise<SubtreeHashes> {
    const before = this.#tree.size;
    const frontier = await this.#reach(size);
    if (frontier.range.size > before && frontier.range.size === this.newestSize()) this.#keep(frontier);
    return {hash: sha256Bytes, at: (level, index) => this.#tiles.at(level, index)};
  }

  /** Forgets what was kept of the tree: it is not that of the log, which is read from its beginning next time. */
  startOver(): void {
    this.#tiles.forget();
    rmSync(this.#options.frontierPath, {force: true});
    this.#options.companion?.restore([]);
    this.#tree = new MerkleTree(sha256Bytes);
    this.#cursor.close();
    this.#cursor = new LogCursor({folder: this.#options.logFolder});
  }

  close(): void {
    this.#cursor.close();
  }

  /** The tree as it is, and what goes with it. */
  #frontier(): Frontier {
    const [companion, tiles] = [this.#options.companion?.state(), this.#tiles.state()];
    return {position: this.#cursor.position, range: this.#tree.range(), companion, tiles};
  }

  #keep(frontier: Frontier): void {
    writeFrontier(this.#options.frontierPath, frontier, this.#options.owner);
  }

  /** Gives the tree as of a moment when it was that far, with its tiles on disk: meanwhile it may have grown. */
  async #reach(size: number): Promise<Frontier> {
    this.#useFrontier(this.newestSize());
    await this.#growTo(size);
    const frontier = this.#frontier();
    await this.#tiles.keep();
    return frontier;
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
    if (!this.#tiles.restore(frontier.tiles, newest)) return;
    if (companion?.restore(frontier.companion) === false) return this.startOver();
    this.#tree = tree;
    this.#cursor.moveTo(frontier.position);
  }

  /** Reads on from where the tree is; on to all that stands, so that it can follow from there. */
  async #growTo(size: number): Promise<void> {
    const {told} = this.#options;
    for (let end = size; this.#tree.size < end; end = Math.max(size, told?.() ?? 0)) {
      const limit = Math.min(linesPerTurn, end - this.#tree.size);
      const stop = this.#cursor.advance((line, place) => this.#take(line, place), limit);
      if (stop.kind !== 'limit') {
        const {segment, seq} = this.#cursor.position;
        const path = segmentPath(this.#options.logFolder, segment);
        const reason = stop.kind === 'wrong' ? stop.reason : 'is missing';
        throw new KernelError('LOG_CORRUPT', `\`${path}\` line ${seq - segment + 2} ${reason}`);
      }
      if (this.#tiles.unwritten >= tilesUnwrittenMax) await this.#tiles.keep();
      if (this.#tree.size < end) await nextTurn();
    }
  }

  /** False, and nothing taken, for what is no line of this log. */
  #take(line: Buffer, place: LineLocation): boolean {
    if (this.#options.companion?.add(line, place) === false) return false;
    this.#leaf.write(place.hash, 'hex');
    this.#tree.append(this.#leaf, this.#visit);
    return true;
  }
}
