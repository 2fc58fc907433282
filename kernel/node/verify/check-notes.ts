// The signed checkpoints of one log that have valid signatures.
import {type Checkpoint, type NoteVerifier, openNote, parseCheckpoint} from '@lumenflow/kernel/adapters';
import {parseEventsSeen} from '../signed-log/events-seen.ts';
import type {CheckpointStore} from '../signed-log/log-reader.ts';
import type {VerifyFinding} from './verify-finding.ts';

export interface CheckedNote extends Checkpoint {
  /** Where it was found, for people. */
  readonly where: string;
  readonly signer: string;
  /** Whether it has no signature of others. */
  readonly isWhole: boolean;
  /** How many events were signed before it. */
  readonly eventsSeen: number;
}

export interface NoteSource {
  readonly checkpoints: CheckpointStore;
  /** The log's name, the last part of its checkpoints' origin. */
  readonly name: string;
  /** Of the known keys, under their own names and under that of the log. */
  readonly verifiers: readonly NoteVerifier[];
  /** Notes that were kept elsewhere. */
  readonly kept: readonly string[];
}

export async function checkNotes(source: NoteSource, findings: VerifyFinding[]): Promise<readonly CheckedNote[]> {
  const {checkpoints, verifiers} = source;
  const sizes = await checkpoints.sizes();
  if (verifiers.length === 0) {
    if (sizes.length > 0)
      findings.push({
        status: 'unsigned_tail',
        text: `\`${checkpoints.location}\`: no public key is known to check the signatures with`,
      });
    return [];
  }
  const stored: CheckedNote[] = [];
  for (const size of sizes) {
    const where = checkpoints.where(size);
    const note = checkNote((await checkpoints.read(size)) ?? '', where, source);
    if (note?.size === size && note.isWhole) stored.push(note);
    else
      findings.push({
        status: 'tampered',
        text: `\`${where}\` is not a checkpoint of size ${size} signed by a known key`,
      });
  }
  const kept = source.kept.flatMap((text, index) => {
    const note = checkNote(text, `kept checkpoint ${index + 1}`, source);
    return note ?? [];
  });
  return [...stored, ...kept];
}

/** Undefined when no known key signed it, or it is of another log. */
function checkNote(note: string, where: string, {verifiers, name}: NoteSource): CheckedNote | undefined {
  const opened = openNote(note, verifiers);
  const checkpoint = opened === undefined ? undefined : parseCheckpoint(opened.text);
  if (opened === undefined || checkpoint?.origin !== `${opened.verifier.name}/${name}`) return undefined;
  return {
    ...checkpoint,
    where,
    signer: opened.verifier.name,
    isWhole: opened.isWhole,
    eventsSeen: parseEventsSeen(checkpoint.extensions),
  };
}
