// Checks a workspace's evidence as a stranger would: from its files alone, without a lock and without writing,
// on the workspace itself or on a copy of `.lumenflow/kernel`.
import {isIdentifier, type VerifyReport} from '@lumenflow/kernel';
import {openNote, type NoteVerifier} from '@lumenflow/kernel/adapters';
import type {EvidenceRecord, KernelEvent} from '@lumenflow/schemas';
import {validateEvent, validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseVerifierKey, readVerifierKeys} from '../checkpoints/note-key.ts';
import {specFileName} from '../tasks/file-task-store.ts';
import {sha256Hex} from '../system/sha256.ts';
import {BlobCheck} from './blob-check.ts';
import {checkNotes} from './check-notes.ts';
import {worstStatus, type Finding} from './finding.ts';
import {verifyLog, type CheckedLog, type LineAt, type LogCheck} from './verify-log.ts';

export interface VerifyOptions {
  /** C2SP verifier keys to trust; without them those published in `keyFolder` are. */
  readonly verifierKeys?: readonly string[];
  /** Where `evidence.pub` stands. */
  readonly keyFolder?: string;
  /** Signed checkpoints kept elsewhere: they tell when a log was rolled back together with its checkpoints. */
  readonly keptNotes?: readonly string[];
}

/** Findings beyond these are only counted. */
const findingsMax = 100;

/** `stateFolder` is `.lumenflow/kernel` or a copy of it. */
export async function verifyEvidence(stateFolder: string, options: VerifyOptions): Promise<VerifyReport> {
  const keys = options.verifierKeys ?? (options.keyFolder === undefined ? [] : readVerifierKeys(options.keyFolder));
  const verifiers = keys.flatMap((key) => parseVerifierKey(key) ?? []);
  const findings: Finding[] = [];
  for (const [index, note] of (options.keptNotes ?? []).entries()) {
    if (openNote(note, verifiers) !== undefined) continue;
    findings.push({status: 'tampered', text: `kept checkpoint ${index + 1} is not signed by a known key`});
  }
  const treeOf = (name: string): Pick<LogCheck, 'notes' | 'tileFolder'> => {
    const folder = join(stateFolder, 'evidence', 'tree', name);
    const kept = options.keptNotes ?? [];
    return {notes: checkNotes({folder, name, verifiers, kept}, findings), tileFolder: folder};
  };
  const told = {redacted: new Set<string>(), lost: new Map<string, number>()};
  const events = {stateFolder, findings, told};
  // The events first: they say which contents may be gone.
  await verifyLog(
    {
      folder: join(stateFolder, 'events'),
      ...treeOf('events'),
      check: (line, at) => checkEvent(line, at, events),
    },
    findings,
  );
  const tree = treeOf('traces');
  const isSignedBefore = (seq: number, event: number): boolean =>
    tree.notes.some(({size, eventsSeen}) => size >= seq && eventsSeen < event);
  const blobs = new BlobCheck({folder: join(stateFolder, 'evidence', 'inputs'), told, isSignedBefore}, findings);
  const traces = await verifyLog(
    {
      folder: join(stateFolder, 'evidence', 'traces'),
      ...tree,
      check: (line, at) => checkRecord(line, at, blobs),
    },
    findings,
  );
  blobs.close();
  return report(traces, {blobs, findings, keys, verifiers});
}

function report(
  traces: CheckedLog,
  found: {blobs: BlobCheck; findings: readonly Finding[]; keys: readonly string[]; verifiers: readonly NoteVerifier[]},
): VerifyReport {
  const {blobs, findings, keys} = found;
  const key = keys.find((candidate) => candidate.startsWith(`${traces.signer ?? ''}+`));
  const texts = findings.slice(0, findingsMax).map(({text}) => text);
  if (findings.length > findingsMax) texts.push(`and ${findings.length - findingsMax} more`);
  return {
    status: worstStatus(findings) ?? (traces.lines === 0 ? 'empty' : 'verified'),
    records: traces.lines,
    blobs: blobs.count,
    redacted: blobs.redacted,
    lost: blobs.lost,
    root: traces.root,
    signed_records: traces.signedLines,
    ...(key !== undefined && {verifier_key: key}),
    findings: texts,
  };
}

function checkRecord(line: Buffer, at: LineAt, blobs: BlobCheck): boolean {
  const value = parseOrUndefined(line);
  if (!validateEvidenceRecord(value)) return false;
  const record = value as EvidenceRecord;
  if (record.type === 'tool_call_started' && record.input_ref !== undefined) {
    blobs.check(record.input_ref, record.input_hash, at);
  }
  if (record.type === 'tool_call_finished') {
    if (record.output_ref !== undefined) blobs.check(record.output_ref, record.output_hash, at);
    if (record.log_ref !== undefined) blobs.check(record.log_ref, record.log_hash, at);
  }
  return true;
}

interface EventsAt {
  readonly stateFolder: string;
  readonly findings: Finding[];
  readonly told: {readonly redacted: Set<string>; readonly lost: Map<string, number>};
}

function checkEvent(line: Buffer, at: LineAt, events: EventsAt): boolean {
  const value = parseOrUndefined(line);
  if (!validateEvent(value)) return false;
  const event = value as KernelEvent;
  const {redacted, lost} = events.told;
  if (event.type === 'task_created' || event.type === 'task_amended') checkTask(event, at, events);
  if (event.type === 'evidence_redacted') for (const hash of event.hashes) redacted.add(hash);
  // Told again later it is no better excuse.
  if (event.type === 'evidence_lost') {
    for (const {ref} of event.contents) lost.set(ref, Math.min(lost.get(ref) ?? event.seq, event.seq));
  }
  return true;
}

/** A task's spec must be the file whose hash its creation, or its amendment, recorded. */
function checkTask(
  event: Extract<KernelEvent, {type: 'task_created' | 'task_amended'}>,
  {where}: LineAt,
  {stateFolder, findings}: EventsAt,
): void {
  const amendedHash = event.type === 'task_amended' ? event.spec_hash : undefined;
  const name = `tasks/${specFileName(event.task_id, amendedHash)}`;
  try {
    const hash = isIdentifier(event.task_id) ? sha256Hex(readFileSync(join(stateFolder, name))) : undefined;
    if (hash === event.spec_hash) return;
    findings.push({status: 'tampered', text: `${where()}: \`${name}\` is not the spec that was recorded`});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    findings.push({status: 'truncated', text: `${where()}: \`${name}\` is missing`});
  }
}

function parseOrUndefined(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    // The caller takes it for what it is: not a record.
    return undefined;
  }
}
