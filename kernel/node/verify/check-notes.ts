// The signed checkpoints of one log, as far as their signatures hold.
import {openNote, parseCheckpoint, type Checkpoint, type NoteVerifier} from '@lumenflow/kernel/adapters';
import {parseEventsSeen} from '../checkpoints/events-seen.ts';
import {listNotes, notePath, readNote} from '../checkpoints/note-files.ts';
import type {Finding} from './finding.ts';

export interface CheckedNote extends Checkpoint {
  /** Where it was found, for people. */
  readonly where: string;
  readonly signer: string;
  /** How many events were signed before it. */
  readonly eventsSeen: number;
}

export interface NoteSource {
  readonly folder: string;
  /** The log's name, the last part of its checkpoints' origin. */
  readonly name: string;
  readonly verifiers: readonly NoteVerifier[];
  /** Notes that were kept elsewhere. */
  readonly kept: readonly string[];
}

export function checkNotes(source: NoteSource, findings: Finding[]): readonly CheckedNote[] {
  const {folder, verifiers} = source;
  const sizes = listNotes(folder);
  if (verifiers.length === 0) {
    if (sizes.length > 0)
      findings.push({
        status: 'unsigned_tail',
        text: `\`${folder}\`: no public key is known to check the signatures with`,
      });
    return [];
  }
  const stored = sizes.flatMap((size) => {
    const where = notePath(folder, size);
    const note = checkNote(readNote(folder, size), where, source);
    if (note?.size === size) return note;
    findings.push({status: 'tampered', text: `\`${where}\` is not a checkpoint of size ${size} signed by a known key`});
    return [];
  });
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
  return {...checkpoint, where, signer: opened.verifier.name, eventsSeen: parseEventsSeen(checkpoint.extensions)};
}
