// Checks one log from its files: sequence, chain, schema, and the tree's root at every size that was signed.
import {encodeHex, MerkleTree, type VisitSubtree} from '@lumenflow/kernel/adapters';
import {existsSync} from 'node:fs';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {LogCursor, type CursorStop} from '../log/log-cursor.ts';
import {listSegments, segmentPath} from '../log/segment-files.ts';
import {sha256Bytes} from '../system/sha256.ts';
import type {CheckedNote} from './check-notes.ts';
import type {Finding} from './finding.ts';
import {TileCheck} from './tile-check.ts';

const linesPerTurn = 5_000;

export interface LineAt {
  readonly seq: number;
  /** Names it, for people. */
  where(): string;
}

export interface LogCheck {
  readonly folder: string;
  readonly notes: readonly CheckedNote[];
  /** Where the tree's tiles stand. */
  readonly tileFolder: string;
  /** Whether a line is a record of this log; also looks at what the record refers to. */
  readonly check: (line: Buffer, at: LineAt) => boolean;
}

export interface CheckedLog {
  readonly lines: number;
  readonly root: string;
  readonly signedLines: number;
  readonly signer: string | undefined;
}

export async function verifyLog(
  {folder, notes, tileFolder, check}: LogCheck,
  findings: Finding[],
): Promise<CheckedLog> {
  const tree = new MerkleTree(sha256Bytes);
  const signed = new SignedRoots(notes, findings);
  signed.compare(tree);
  if (!existsSync(folder)) {
    signed.reportMissing(folder, 0);
    return {lines: 0, root: encodeHex(tree.root()), signedLines: signed.lines, signer: signed.signer};
  }
  const tiles = new TileCheck(tileFolder, findings);
  const visit: VisitSubtree = (level, subtree) => tiles.add(level, subtree);
  const cursor = new LogCursor({folder});
  let stop: CursorStop;
  do {
    stop = cursor.advance((line, {seq, segment, hash}) => {
      if (!check(line, {seq, where: () => whereOf(folder, segment, seq)})) return false;
      tree.append(Buffer.from(hash, 'hex'), seq <= signed.largest ? visit : undefined);
      signed.compare(tree);
      return true;
    }, linesPerTurn);
    await nextTurn();
  } while (stop.kind === 'limit');
  cursor.close();
  const {segment, seq} = cursor.position;
  reportStop({folder, segment, seq, stop}, findings);
  signed.reportMissing(folder, seq);
  if (seq > signed.lines) {
    findings.push({
      status: 'unsigned_tail',
      text: `\`${folder}\`: ${seq - signed.lines} of ${seq} lines are behind the newest signed checkpoint`,
    });
  }
  return {lines: seq, root: encodeHex(tree.root()), signedLines: signed.lines, signer: signed.signer};
}

function whereOf(folder: string, segment: number, seq: number): string {
  return `\`${segmentPath(folder, segment)}\` line ${seq - segment + 1}`;
}

function reportStop(at: {folder: string; segment: number; seq: number; stop: CursorStop}, findings: Finding[]): void {
  const {folder, segment, seq, stop} = at;
  const where = whereOf(folder, segment, seq + 1);
  const later = listSegments(folder).find((first) => first > segment || (first === segment && first > seq + 1));
  if (stop.kind === 'wrong') {
    findings.push({status: 'tampered', text: `${where} ${stop.reason}`});
  } else if (later !== undefined) {
    findings.push({status: 'truncated', text: `${where} is missing, and all up to \`${segmentPath(folder, later)}\``});
  } else if (stop.kind === 'partial') {
    findings.push({status: 'unsigned_tail', text: `${where} is torn: it has no end`});
  }
}

/** Holds the roots that were signed against the tree while it grows. */
class SignedRoots {
  readonly #bySize = new Map<number, CheckedNote[]>();
  readonly #findings: Finding[];
  /** How many lines were signed, whether they are there or not. */
  readonly largest: number;
  /** How many of those that are there are signed. */
  lines = 0;
  signer: string | undefined;

  constructor(notes: readonly CheckedNote[], findings: Finding[]) {
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

  reportMissing(folder: string, lines: number): void {
    if (this.largest <= lines) return;
    this.#findings.push({
      status: 'truncated',
      text: `\`${folder}\` has ${lines} sound lines, but a checkpoint was signed over ${this.largest}`,
    });
  }
}
