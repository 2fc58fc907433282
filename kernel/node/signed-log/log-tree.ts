// The Merkle tree over one log, and its signed heads. A leaf is the SHA-256 of a line, the same hash that chains the
// lines; so a proof that a record is in the log needs the record's hash and not its neighbours.
import {KernelError} from '@lumenflow/kernel';
import {
  checkpointText,
  consistencyPath,
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
import type {LineCursor, LinePlace} from '../log/line-cursor.ts';
import {sha256Bytes} from '../system/sha256.ts';
import type {LogHead} from './log-witnesses.ts';
import {readFrontier, writeFrontier, type Frontier} from './frontier-file.ts';
import type {LogReader} from './log-reader.ts';
import {TreeTiles} from './tree-tiles.ts';

/** Lines hashed before others get their turn: well under a millisecond. */
const linesPerTurn = 300;
/** Full tiles that are buffered before they are written, while the log is read. */
const tilesUnwrittenMax = 64;
/** And while it is followed: a checkpoint, which writes them, takes as long as the disk does; 8 MiB. */
const tilesFollowedMax = 1_024;

/** Something else that is built from the same lines and kept with the frontier. */
export interface TreeCompanion {
  /** Takes a line in; false if it is not one of this log. */
  add(line: Buffer, place: LinePlace): boolean;
  /** As JSON, for `restore`. */
  state(): unknown;
  /** False, and nothing changed, for what `state` did not give. */
  restore(state: unknown): boolean;
}

export interface LogTreeOptions {
  /** `traces` or `events`; with the signer's name it makes the checkpoints' origin. */
  readonly name: string;
  readonly log: LogReader;
  /** Where hashes are stored, so that they need not be computed again; without it they are kept in memory. */
  readonly cache?: TreeCache | undefined;
  readonly signer: NoteSigner;
  readonly verifiers: readonly NoteVerifier[];
}

/** Files that can be deleted at any time. */
export interface TreeCache {
  readonly tileFolder: string;
  readonly frontierPath: string;
  /** Distinguishes this process's temporary files. */
  readonly owner: string;
  readonly files: FileOperations;
  readonly companion?: TreeCompanion | undefined;
}

export class LogTree {
  readonly #options: LogTreeOptions;
  #tree = new MerkleTree(sha256Bytes);
  #cursor: LineCursor;
  readonly #tiles: TreeTiles;
  readonly #leaf = Buffer.alloc(32);
  readonly #visit: VisitSubtree = (level, hash) => this.#tiles.add(level, hash);

  constructor(options: LogTreeOptions) {
    this.#options = options;
    this.#tiles = new TreeTiles(options.cache);
    this.#cursor = cursorOf(options.log);
  }

  /** The size of the newest checkpoint; 0 if there is none. */
  async newestSize(): Promise<number> {
    return (await this.#options.log.checkpoints.sizes()).at(-1) ?? 0;
  }

  /** Takes in the log's next line, so that it need not be read again. One that is not the tree's next is read when it is needed. */
  follow(line: Buffer, place: LinePlace): void {
    if (place.seq !== this.#tree.size + 1 || this.#tiles.unwritten >= tilesFollowedMax) return;
    if (this.#take(line, place)) this.#cursor.skip(line, place);
  }

  /** Signs a head over all lines, or over `size` at least, and what else is vouched for; returns the note. */
  async sign(extensions: readonly string[] = [], size?: number): Promise<string> {
    const {log} = this.#options;
    const settled = size ?? (await log.settle());
    const newest = await this.newestSize();
    if (newest > 0 && newest >= settled) return await this.#note(newest);
    return await this.#signOver(settled, newest, extensions);
  }

  async #signOver(size: number, newest: number, extensions: readonly string[]): Promise<string> {
    const {name, log, signer} = this.#options;
    // It may be larger than requested, because lines were followed or another process has signed.
    const frontier = await this.#reach(size);
    const {range} = frontier;
    const signed = await this.newestSize();
    if (signed > 0 && signed >= range.size) return await this.#note(signed);
    if (range.size > size) await log.settle();
    // A signature must not outlive what it is over: after a power cut the log would look as if somebody had cut it.
    await log.sync(newest);
    const root = new MerkleTree(sha256Bytes, range).root();
    const origin = `${signer.name}/${name}`;
    // Tools for transparency logs expect a signature by a key that is named after the origin.
    const note = signNote(checkpointText({origin, size: range.size, root, extensions}), signer, signer.named(origin));
    await log.checkpoints.keep(range.size, note);
    this.#keep(frontier);
    return note;
  }

  /** What proofs over the first `size` lines are made of; throws KernelError LOG_CORRUPT when there are fewer. */
  async hashes(size: number): Promise<SubtreeHashes> {
    const before = this.#tree.size;
    const frontier = await this.#reach(size);
    if (frontier.range.size > before && frontier.range.size === (await this.newestSize())) this.#keep(frontier);
    return {hash: sha256Bytes, at: (level, index) => this.#tiles.at(level, index)};
  }

  /**
   * The newest checkpoint, and the proof that it continues the first `from` lines, if it covers as many. Undefined if nothing is signed. Hashes
   * on disk that are missing are computed again.
   */
  async head(from: number): Promise<LogHead | undefined> {
    const size = await this.newestSize();
    if (size === 0) return undefined;
    const note = await this.#note(size);
    if (from > size) return {size, note, path: undefined};
    try {
      return {size, note, path: consistencyPath(from, size, await this.hashes(size))};
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && !(error instanceof RangeError)) throw error;
      this.startOver();
      return {size, note, path: consistencyPath(from, size, await this.hashes(size))};
    }
  }

  /** Forgets what was kept of the tree: it is not that of the log, which is read from its beginning next time. */
  startOver(): void {
    this.#tiles.forget();
    const {cache, log} = this.#options;
    if (cache) rmSync(cache.frontierPath, {force: true});
    cache?.companion?.restore([]);
    this.#tree = new MerkleTree(sha256Bytes);
    this.#cursor.close();
    this.#cursor = cursorOf(log);
  }

  close(): void {
    this.#cursor.close();
  }

  async #note(size: number): Promise<string> {
    const {checkpoints} = this.#options.log;
    const note = await checkpoints.read(size);
    if (note !== undefined) return note;
    throw new KernelError('LOG_CORRUPT', `the checkpoint \`${checkpoints.where(size)}\` is gone`);
  }

  /** The tree as it is, and what goes with it. */
  #frontier(): Frontier {
    const [companion, tiles] = [this.#options.cache?.companion?.state(), this.#tiles.state()];
    return {position: this.#cursor.position, range: this.#tree.range(), companion, tiles};
  }

  #keep(frontier: Frontier): void {
    const {cache} = this.#options;
    if (cache) writeFrontier(cache.frontierPath, frontier, cache.owner);
  }

  /** Returns the tree at this size, with its tiles on disk, although it may have grown since. */
  async #reach(size: number): Promise<Frontier> {
    await this.#useFrontier(await this.newestSize());
    await this.#growTo(size);
    const frontier = this.#frontier();
    await this.#tiles.keep();
    return frontier;
  }

  /** Starts from what another process has hashed and signed, when that is further than this one is. */
  async #useFrontier(newest: number): Promise<void> {
    const {log, verifiers, cache} = this.#options;
    if (cache === undefined || newest <= this.#tree.size) return;
    const frontier = readFrontier(cache.frontierPath, (value) => log.parsePosition(value));
    if (frontier?.range.size !== newest || !MerkleTree.isRange(frontier.range)) return;
    const signed = parseCheckpoint(openNote(await this.#note(newest), verifiers)?.text ?? '');
    const tree = new MerkleTree(sha256Bytes, frontier.range);
    if (signed?.size !== newest || encodeHex(signed.root) !== encodeHex(tree.root())) return;
    if (!this.#tiles.restore(frontier.tiles, newest)) return;
    if (cache.companion?.restore(frontier.companion) === false) return this.startOver();
    this.#tree = tree;
    this.#cursor.moveTo(frontier.position);
  }

  /** Reads from the tree's size to the end of the log, so that it can follow from there. */
  async #growTo(size: number): Promise<void> {
    const {log} = this.#options;
    for (let end = size; this.#tree.size < end; end = Math.max(size, log.live?.known() ?? 0)) {
      const limit = Math.min(linesPerTurn, end - this.#tree.size);
      const stop = await this.#cursor.advance((line, place) => this.#take(line, place), limit);
      if (stop.kind !== 'limit') {
        const {position} = this.#cursor;
        const reason = stop.kind === 'wrong' ? stop.reason : 'is missing';
        throw new KernelError('LOG_CORRUPT', `${log.where({...position, seq: position.seq + 1})} ${reason}`);
      }
      if (this.#tiles.unwritten >= tilesUnwrittenMax) await this.#tiles.keep();
      if (this.#tree.size < end) await nextTurn();
    }
  }

  /** False, without a change, for a line that does not belong to this log. */
  #take(line: Buffer, place: LinePlace): boolean {
    // A cursor that waits for a network may deliver lines that were followed in the meantime.
    if (place.seq <= this.#tree.size) return true;
    if (this.#options.cache?.companion?.add(line, place) === false) return false;
    this.#leaf.write(place.hash, 'hex');
    this.#tree.append(this.#leaf, this.#visit);
    return true;
  }
}

function cursorOf(log: LogReader): LineCursor {
  return log.treeCursor?.() ?? log.cursor();
}
