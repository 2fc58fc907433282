// What a witness decides about a checkpoint: it cosigns only what continues the log that it cosigned last. The order of the checks and
// the status of each answer are those of https://c2sp.org/tlog-witness.
import {parseCheckpoint, type Checkpoint} from './checkpoint.ts';
import {isConsistent} from './merkle-proofs.ts';
import type {HashBytes} from './merkle-tree.ts';
import {noteText, openNote, type NoteVerifier} from './signed-note.ts';
import type {WitnessRequest} from './witness-request.ts';

/** The head of a log that a witness cosigned last. */
export interface CosignedHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** What the witness knows of a log. */
export interface WitnessedLog {
  readonly verifiers: readonly NoteVerifier[];
  /** Undefined if it never cosigned a checkpoint of this log. */
  readonly newest: CosignedHead | undefined;
}

export type WitnessDecision =
  | {readonly status: 200; readonly checkpoint: Checkpoint; readonly text: string}
  | {readonly status: 400 | 403 | 404 | 422; readonly reason: string}
  | {readonly status: 409; readonly reason: string; readonly size: number};

export function judgeCheckpoint(
  {oldSize, path, note}: WitnessRequest,
  {logOf, hash}: {readonly logOf: (origin: string) => WitnessedLog | undefined; readonly hash: HashBytes},
): WitnessDecision {
  const claimed = parseCheckpoint(noteText(note) ?? '');
  if (claimed === undefined) return {status: 400, reason: 'the body does not contain a signed checkpoint'};
  const log = logOf(claimed.origin);
  if (log === undefined) return {status: 404, reason: `the log ${claimed.origin} is not known here`};
  const opened = openNote(note, log.verifiers);
  const checkpoint = opened && parseCheckpoint(opened.text);
  if (checkpoint === undefined) return {status: 403, reason: 'no known key of the log signed the checkpoint'};
  const {size, root} = checkpoint;
  if (oldSize > size) return {status: 400, reason: `the old size ${oldSize} is larger than the checkpoint's, ${size}`};
  const newest = log.newest ?? {size: 0, root: hash(new Uint8Array())};
  if (oldSize !== newest.size) {
    return {status: 409, reason: `the newest cosigned checkpoint has size ${newest.size}`, size: newest.size};
  }
  const continues =
    oldSize === 0
      ? path.length === 0 && isStart({size, root}, newest)
      : isConsistent(hash, {from: newest, to: {size, root}, path});
  if (continues) return {status: 200, checkpoint, text: opened?.text ?? ''};
  return {status: 422, reason: `the first ${oldSize} entries are not those that were cosigned`};
}

/** The root of a log without entries is known. */
function isStart({size, root}: CosignedHead, empty: CosignedHead): boolean {
  return size > 0 || root.every((byte, at) => byte === empty.root[at]);
}
