// Counts the cosignatures over the checkpoints of one log against the witnesses that are required.
import {openNote, parseCheckpoint, type EvidenceWitness, type NoteVerifier} from '@lumenflow/kernel/adapters';
import type {LogName} from '../log/log-name.ts';
import {CosignedNotes} from '../witness/cosigned-notes.ts';
import type {RequiredWitnesses} from '../witness/required-witnesses.ts';
import type {CosignatureId, SharedCosignatures} from '../witness/shared-cosignatures.ts';
import {parseWitnessKey, type WitnessVerifier} from '../witness/witness-key.ts';
import {WitnessReports} from '../witness/witness-reports.ts';
import type {VerifyFinding} from './verify-finding.ts';
import type {SignedHead} from './verify-log.ts';

export interface WitnessCheckSource {
  readonly log: LogName;
  /** Where the log is, for people. */
  readonly location: string;
  /** `.lumenflow/kernel` or a copy of it. */
  readonly stateFolder: string;
  /** Of a state that several machines share. */
  readonly shared?: SharedCosignatures | undefined;
  /** Of the keys that sign the log. */
  readonly verifiers: readonly NoteVerifier[];
  /** Notes that were kept elsewhere. */
  readonly kept: readonly string[];
  /** The size of the newest checkpoint. */
  readonly newest: number;
}

export interface WitnessCheck {
  /** Checkpoints that a witness cosigned; the log must have their roots. */
  readonly heads: readonly SignedHead[];
  readonly witnesses: readonly EvidenceWitness[];
  /** Lines that as many witnesses as required cosigned. */
  readonly witnessed: number;
}

interface Cosigned extends SignedHead {
  readonly witness: WitnessVerifier;
  readonly seconds: number;
}

export async function checkWitnesses(
  {required, keys}: RequiredWitnesses,
  source: WitnessCheckSource,
  findings: VerifyFinding[],
): Promise<WitnessCheck> {
  const known = keys.flatMap((key) => parseWitnessKey(key) ?? []);
  const heads = await cosignedHeads(known, source, findings);
  const newest = known.map((witness) => newestOf(witness, heads));
  const sizes = newest.map(({records}) => records).toSorted((one, other) => other - one);
  const count = required ?? keys.length;
  const witnessed = sizes[count - 1] ?? 0;
  reportProblems(known, source, findings);
  if (witnessed < source.newest) {
    const cosigners = sizes.filter((size) => size >= source.newest).length;
    const text = `\`${source.location}\`: ${cosigners} of ${count} required witnesses cosigned the newest checkpoint, over ${source.newest} lines; ${count} cosigned the first ${witnessed}`;
    findings.push({status: 'unwitnessed', text});
  }
  return {heads, witnesses: newest, witnessed};
}

async function cosignedHeads(
  known: readonly WitnessVerifier[],
  source: WitnessCheckSource,
  findings: VerifyFinding[],
): Promise<readonly Cosigned[]> {
  const {log, kept, verifiers} = source;
  const stored = (await storedNotes(source)).flatMap(({size, keyId, note, where}) => {
    const witness = known.find(({id}) => id === keyId);
    if (witness === undefined) return [];
    const head = readCosigned(note, where, {witness, verifiers, log});
    if (head?.size === size) return [head];
    const text = `${where} is not a checkpoint of size ${size} that witness ${witness.name} cosigned`;
    findings.push({status: 'tampered', text});
    return [];
  });
  const elsewhere = kept.flatMap((note, at) =>
    known.flatMap((witness) => readCosigned(note, `kept checkpoint ${at + 1}`, {witness, verifiers, log}) ?? []),
  );
  return [...stored, ...elsewhere];
}

interface StoredNote extends CosignatureId {
  readonly note: string;
  /** For people. */
  readonly where: string;
}

/** In the files here, and those that other hosts have shared. */
async function storedNotes({stateFolder, log, shared}: WitnessCheckSource): Promise<readonly StoredNote[]> {
  const notes = new CosignedNotes(stateFolder, log);
  const stored: StoredNote[] = notes
    .list()
    .map((note) => ({...note, note: notes.read(note), where: `\`${note.path}\``}));
  for (const id of (await shared?.ids(log)) ?? []) {
    const note = (await shared?.read(log, id)) ?? '';
    stored.push({...id, note, where: `${shared?.location ?? ''} of ${log} at ${id.size}`});
  }
  return stored;
}

function readCosigned(
  note: string,
  where: string,
  {witness, verifiers, log}: Pick<WitnessCheckSource, 'verifiers' | 'log'> & {readonly witness: WitnessVerifier},
): Cosigned | undefined {
  const opened = openNote(note, verifiers);
  const checkpoint = opened && parseCheckpoint(opened.text);
  const cosignature = witness.cosignatureIn(note);
  if (opened === undefined || checkpoint === undefined || cosignature === undefined) return undefined;
  if (checkpoint.origin !== `${opened.verifier.name}/${log}`) return undefined;
  const {size, root} = checkpoint;
  return {size, root, where, signer: opened.verifier.name, witness, seconds: cosignature.seconds};
}

function newestOf({name, verifierKey, id}: WitnessVerifier, heads: readonly Cosigned[]): EvidenceWitness {
  const own = heads.filter(({witness}) => witness.id === id && witness.name === name);
  const newest = own.toSorted((one, other) => other.size - one.size)[0];
  if (newest === undefined) return {name, verifier_key: verifierKey, records: 0};
  const cosigned_at = new Date(newest.seconds * 1000).toISOString();
  return {name, verifier_key: verifierKey, records: newest.size, cosigned_at};
}

const gravity = {rewritten: 'tampered', rolled_back: 'truncated', rejected: 'unwitnessed'} as const;

/** A witness that does not answer is counted as missing only. */
function reportProblems(
  known: readonly WitnessVerifier[],
  {stateFolder, log, location}: WitnessCheckSource,
  findings: VerifyFinding[],
): void {
  const reports = new WitnessReports(stateFolder, log);
  for (const {id, name} of known) {
    const problem = reports.read(id)?.problem;
    if (problem === undefined || problem.kind === 'unreachable') continue;
    const text = `\`${location}\`: witness ${name} did not cosign at ${problem.since}: ${problem.message}`;
    findings.push({status: gravity[problem.kind], text});
  }
}
