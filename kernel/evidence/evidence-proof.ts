// Self-contained proofs: the records of one call, their paths to a signed root, and the checks a stranger makes.
import type {ConsistencyProof, EvidenceProof, EvidenceRecord, ProvenBlob} from '@lumenflow/schemas';
import {validateEvidenceProof, validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {failed, ok, type Outcome} from '../outcome.ts';
import {parseCheckpoint, type Checkpoint} from './checkpoint.ts';
import {decodeHex} from './hex.ts';
import {isConsistent, isIncluded} from './merkle-proofs.ts';
import {leafHash, type HashBytes} from './merkle-tree.ts';
import {openNote, type NoteVerifier} from './signed-note.ts';

/** The cryptography that checking is lent. */
export interface ProofPorts {
  readonly sha256: (content: string | Uint8Array) => Uint8Array;
  /** The verifier of a C2SP verifier key; undefined for any other text. */
  readonly parseVerifierKey: (text: string) => NoteVerifier | undefined;
}

export type ProofVerdict =
  | {
      readonly valid: true;
      /** Whether the checkpoint is signed by the key that was given as trusted; else only by the one in the proof. */
      readonly trusted: boolean;
      readonly verifier_key: string;
      /** Of the log that the checkpoint is over. */
      readonly size: number;
      readonly records: readonly EvidenceRecord[];
    }
  | {readonly valid: false; readonly reason: string};

/** Checks a proof of one call. Without a trusted key it shows only that the proof agrees with itself. */
export function verifyProof(proof: unknown, ports: ProofPorts, trustedKey?: string): ProofVerdict {
  if (!validateEvidenceProof(proof)) {
    const [error] = validateEvidenceProof.errors ?? [];
    return invalid(`this is not an evidence proof: ${error?.instancePath ?? ''} ${error?.message ?? ''}`);
  }
  const given = proof as EvidenceProof;
  const verifierKey = trustedKey ?? given.verifier_key;
  const signed = openCheckpoint(given.checkpoint, verifierKey, ports);
  if (signed === undefined) return invalid('the checkpoint is not a head of an evidence log signed by this key');
  const wrong = given.records.findIndex((record) => !stands(record, signed, ports));
  if (wrong >= 0) return invalid(`record ${wrong + 1} is not in the log that was signed`);
  const records = readRecords(given);
  if (!records.ok) return invalid(records.problem);
  const trusted = trustedKey !== undefined;
  return {valid: true, trusted, verifier_key: verifierKey, size: signed.size, records: records.value};
}

/** Whether the log that `olderNote` was signed over is the beginning of the proof's; both signed by known keys. */
export function verifyConsistencyProof(
  proof: ConsistencyProof,
  olderNote: string,
  ports: ProofPorts,
  trustedKeys?: readonly string[],
): boolean {
  const keys = trustedKeys ?? [proof.verifier_key];
  const open = (note: string): Checkpoint | undefined =>
    keys.map((key) => openCheckpoint(note, key, ports)).find((checkpoint) => checkpoint !== undefined);
  const [from, to] = [open(olderNote), open(proof.checkpoint)];
  const path = decodePath(proof.path);
  if (from === undefined || to === undefined || path === undefined || from.size !== proof.from_size) return false;
  return isConsistent(bytesOf(ports), {from, to, path});
}

/** What a call's records say of its contents. */
export function blobsOf(records: readonly EvidenceRecord[]): readonly ProvenBlob[] {
  return records.flatMap((record): readonly ProvenBlob[] => {
    if (record.type === 'tool_call_started') return named('input', record.input_hash);
    if (record.type !== 'tool_call_finished') return [];
    return [...named('output', record.output_hash), ...named('log', record.log_hash)];
  });
}

function named(role: ProvenBlob['role'], hash: string | undefined): readonly ProvenBlob[] {
  return hash === undefined ? [] : [{role, hash}];
}

/** Only heads of the log of calls count: a head of the log of events is signed by the same key. */
function openCheckpoint(note: string, key: string, {parseVerifierKey}: ProofPorts): Checkpoint | undefined {
  const verifier = parseVerifierKey(key);
  const text = verifier && openNote(note, [verifier])?.text;
  const checkpoint = text === undefined ? undefined : parseCheckpoint(text);
  return verifier !== undefined && checkpoint?.origin === `${verifier.name}/traces` ? checkpoint : undefined;
}

function stands(record: EvidenceProof['records'][number], {size, root}: Checkpoint, ports: ProofPorts): boolean {
  const path = decodePath(record.path);
  const hash = bytesOf(ports);
  const leaf = leafHash(hash, ports.sha256(record.line));
  return path !== undefined && isIncluded(hash, {leafHash: leaf, index: record.index, size, path, root});
}

function readRecords({receipt_id, records, blobs}: EvidenceProof): Outcome<readonly EvidenceRecord[], string> {
  const read: EvidenceRecord[] = [];
  for (const {line, index} of records) {
    const value = parseOrUndefined(line);
    if (!validateEvidenceRecord(value)) return failed(`line ${index + 1} of the log is not an evidence record`);
    const record = value as EvidenceRecord;
    const follows = record.seq === index + 1 && record.seq > (read.at(-1)?.seq ?? 0);
    if (!follows) return failed(`record ${record.seq} is not where its seq says, or out of order`);
    if (record.receipt_id !== receipt_id) return failed(`record ${record.seq} is of receipt \`${record.receipt_id}\``);
    if ((record.type === 'tool_call_started') !== (read.length === 0)) {
      return failed('the first record must be the only start');
    }
    if (read.at(-1)?.type === 'tool_call_finished' && record.type === 'tool_call_finished') {
      return failed('there are two ends');
    }
    read.push(record);
  }
  if (read.length === 0) return failed('there are no records');
  const said = blobsOf(read);
  const same = said.length === blobs.length && said.every(({role, hash}, index) => isBlob(blobs[index], role, hash));
  return same ? ok(read) : failed('the hashes of input, output or log are not those of the records');
}

function isBlob(blob: ProvenBlob | undefined, role: string, hash: string): boolean {
  return blob?.role === role && blob.hash === hash;
}

function decodePath(path: readonly string[]): readonly Uint8Array[] | undefined {
  const hashes = path.flatMap((text) => decodeHex(text) ?? []);
  return hashes.length === path.length && hashes.every(({length}) => length === 32) ? hashes : undefined;
}

function bytesOf({sha256}: ProofPorts): HashBytes {
  return sha256;
}

function parseOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The caller takes it for what it is: not a record.
    return undefined;
  }
}

function invalid(reason: string): ProofVerdict {
  return {valid: false, reason};
}
