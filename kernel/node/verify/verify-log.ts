// Checks one log from its files: sequence, chain, schema, and the tree's root at every size that was signed.
import {encodeHex, MerkleTree, type VisitSubtree} from '@lumenflow/kernel/adapters';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {CursorStop, LinePosition} from '../log/line-cursor.ts';
import type {LogSource} from '../signed-log/log-reader.ts';
import {sha256Bytes} from '../system/sha256.ts';
import type {VerifyFinding} from './verify-finding.ts';
import type {TileCheck} from './tile-check.ts';

const linesPerTurn = 5_000;

export interface LineAt {
  readonly seq: number;
  /** Names it, for people. */
  where(): string;
}

/** A head of the log that somebody signed. */
export interface SignedHead {
  readonly size: number;
  readonly root: Uint8Array;
  /** Where it was found, for people. */
  readonly where: string;
  readonly signer: string;
}

export interface LogCheck {
  readonly log: LogSource;
  readonly notes: readonly SignedHead[];
  /** Stored hashes of the tree, if there are any. */
  readonly tiles?: TileCheck | undefined;
  /** Whether a line is a record of this log; also notes what the record refers to. */
  readonly check: (line: Buffer, at: LineAt) => boolean;
  /** Checks what was noted; called every so many lines and at the end. */
  readonly settle: () => Promise<void>;
}

export interface CheckedLog {
  readonly lines: number;
  readonly root: string;
  readonly signedLines: number;
  readonly signer: string | undefined;
}

export async function verifyLog(
  {log, notes, tiles, check, settle}: LogCheck,
  findings: VerifyFinding[],
): Promise<CheckedLog> {
  const tree = new MerkleTree(sha256Bytes);
  const signed = new SignedRoots(notes, findings);
  signed.compare(tree);
  const visit: VisitSubtree = (level, subtree) => tiles?.add(level, subtree);
  const cursor = log.cursor();
  let stop: CursorStop;
  do {
    stop = await cursor.advance((line, place) => {
      const {seq, hash} = place;
      if (!check(line, {seq, where: () => log.where(place)})) return false;
      tree.append(Buffer.from(hash, 'hex'), seq <= signed.largest ? visit : undefined);
      signed.compare(tree);
      return true;
    }, linesPerTurn);
    await settle();
    await nextTurn();
  } while (stop.kind === 'limit');
  cursor.close();
  const {position} = cursor;
  const {seq} = position;
  reportStop(log, {position, stop}, findings);
  signed.reportMissing(log.location, seq);
  if (seq > signed.lines) {
    findings.push({
      status: 'unsigned_tail',
      text: `\`${log.location}\`: ${seq - signed.lines} of ${seq} lines are behind the newest signed checkpoint`,
    });
  }
  return {lines: seq, root: encodeHex(tree.root()), signedLines: signed.lines, signer: signed.signer};
}

function reportStop(log: LogSource, at: {position: LinePosition; stop: CursorStop}, findings: VerifyFinding[]): void {
  const {position, stop} = at;
  const where = log.where({...position, seq: position.seq + 1});
  const later = log.gapBefore?.(position);
  if (stop.kind === 'wrong') {
    findings.push({status: 'tampered', text: `${where} ${stop.reason}`});
  } else if (later !== undefined) {
    findings.push({status: 'truncated', text: `${where} is missing, and all up to \`${later}\``});
  } else if (stop.kind === 'partial') {
    findings.push({status: 'unsigned_tail', text: `${where} is torn: it has no end`});
  }
}

/** Compares the signed roots with the tree while it grows. */
class SignedRoots {
  readonly #bySize = new Map<number, SignedHead[]>();
  readonly #findings: VerifyFinding[];
  /** How many lines were signed, whether they are there or not. */
  readonly largest: number;
  /** How many of those that are there are signed. */
  lines = 0;
  signer: string | undefined;

  constructor(notes: readonly SignedHead[], findings: VerifyFinding[]) {
    this.#findings = findings;
    for (const note of notes) this.#bySize.set(note.size, [...(this.#bySize.get(note.size) ?? []), note]);
    this.largest = notes.reduce((max, {size}) => Math.max(max, size), 0);
  }

  compare(tree: MerkleTree): void {
    const notes = this.#bySize.get(tree.size);
    if (notes === undefined) return;
    const root = encodeHex(tree.root());
    for (const note of notes) {
      if (encodeHex(note.root) === root) {
        this.lines = tree.size;
        this.signer = note.signer;
      } else {
        this.#findings.push({
          status: 'tampered',
          text: `${note.where} signs another root over the first ${tree.size} lines than they have`,
        });
      }
    }
  }

  reportMissing(location: string, lines: number): void {
    if (this.largest <= lines) return;
    this.#findings.push({
      status: 'truncated',
      text: `\`${location}\` has ${lines} sound lines, but a checkpoint was signed over ${this.largest}`,
    });
  }
}
