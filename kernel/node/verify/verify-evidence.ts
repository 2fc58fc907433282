// Verifies a workspace's evidence as a third party would, without a lock and without writing. It reads the workspace itself, a copy of
// `.lumenflow/kernel`, or another store.
import type {VerifyReport} from '@lumenflow/kernel';
import {openNote, type EvidenceSigner, type NoteVerifier} from '@lumenflow/kernel/adapters';
import type {EvidenceRecord, EvidenceSalvaged, KernelEvent, RemoteOptions} from '@lumenflow/schemas';
import {validateEvent, validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {join} from 'node:path';
import {ArchiveReader} from '../archive/archive-reader.ts';
import type {ArchiveStore} from '../archive/archive-store.ts';
import {BlobWindows} from '../blobs/blob-windows.ts';
import type {LogName} from '../log/log-name.ts';
import {readContentFrom} from '../blobs/read-content-from.ts';
import {fileLogs} from '../signed-log/file-logs.ts';
import type {LogSource, WorkspaceLogs} from '../signed-log/log-reader.ts';
import {parseVerifierKey, readVerifierKeys} from '../signed-log/note-key.ts';
import {specFileHash, specFileName} from '../tasks/file-task-store.ts';
import {ApprovalCheck} from './approval-check.ts';
import {AttestationCheck} from './attestation-check.ts';
import {BlobCheck, type ReadContent} from './blob-check.ts';
import {checkNotes, type CheckedNote} from './check-notes.ts';
import {HoldCheck, type HeldCall} from './hold-check.ts';
import {worstStatus, type VerifyFinding} from './verify-finding.ts';
import {salvageFinding} from './salvage-finding.ts';
import {SpecCheck, type ReadSpecHash} from './spec-check.ts';
import {TileCheck} from './tile-check.ts';
import {verifyLog, type CheckedLog, type LineAt, type LogCheck, type SignedHead} from './verify-log.ts';
import type {RequiredWitnesses} from '../witness/required-witnesses.ts';
import type {SharedCosignatures} from '../witness/shared-cosignatures.ts';
import {checkWitnesses, type WitnessCheck} from './witness-check.ts';

export interface VerifyOptions {
  /** C2SP verifier keys to trust; without them those published in `keyFolder` are. */
  readonly verifierKeys?: readonly string[] | undefined;
  /** The folder of `evidence.pub`. */
  readonly keyFolder?: string;
  /** Signed checkpoints kept elsewhere: they reveal a log that was rolled back together with its checkpoints. */
  readonly keptNotes?: readonly string[];
  /** The keys by which workers attest calls; without them, no attestation is trusted. */
  readonly workers?: RemoteOptions | undefined;
  /** The witnesses that must have cosigned the newest checkpoints; default none. */
  readonly witnesses?: RequiredWitnesses | undefined;
  /** Where archived parts are; without it, a log that has some cannot be verified. */
  readonly archive?: ArchiveStore | undefined;
}

/** Findings beyond these are only counted. */
const findingsMax = 100;

/** What is verified. */
export interface VerifiedState {
  readonly logs: WorkspaceLogs<LogSource>;
  /** Folders of stored tree hashes, where there are any. */
  readonly tileFolders?: {readonly events: string; readonly traces: string} | undefined;
  /** Of a state that several machines share. */
  readonly cosignatures?: SharedCosignatures | undefined;
  readonly readContent: ReadContent;
  readonly specHash: ReadSpecHash;
}

/** `stateFolder` is `.lumenflow/kernel` or a copy of it. */
export async function verifyEvidence(stateFolder: string, options: VerifyOptions): Promise<VerifyReport> {
  const blobs = new BlobWindows(join(stateFolder, 'evidence', 'inputs'));
  const archive = new ArchiveReader(options.archive, stateFolder);
  await archive.refresh();
  const tileFolder = (name: string): string => join(stateFolder, 'evidence', 'tree', name);
  const keys = options.verifierKeys ?? (options.keyFolder === undefined ? [] : readVerifierKeys(options.keyFolder));
  try {
    return await verifyState(
      {
        logs: fileLogs(stateFolder, options.archive),
        tileFolders: {events: tileFolder('events'), traces: tileFolder('traces')},
        readContent: readContentFrom(blobs, archive),
        specHash: (taskId, amendedHash) => specFileHash(join(stateFolder, 'tasks', specFileName(taskId, amendedHash))),
      },
      {
        keys,
        keptNotes: options.keptNotes ?? [],
        workers: options.workers,
        witnesses: options.witnesses && {...options.witnesses, stateFolder},
      },
    );
  } finally {
    blobs.close();
  }
}

export interface VerifyKeys {
  /** C2SP verifier keys. */
  readonly keys: readonly string[];
  readonly keptNotes?: readonly string[];
  readonly workers?: RemoteOptions | undefined;
  /** The witnesses that are required, and where their cosignatures are. */
  readonly witnesses?: (RequiredWitnesses & {readonly stateFolder: string}) | undefined;
}

export async function verifyState(
  state: VerifiedState,
  {keys, keptNotes = [], workers, witnesses}: VerifyKeys,
): Promise<VerifyReport> {
  const verifiers = keys.flatMap((key) => parseVerifierKey(key) ?? []);
  const findings: VerifyFinding[] = [];
  checkKept(keptNotes, verifiers, findings);
  const sourceOf = async (name: LogName): Promise<CheckSource> => {
    const log = state.logs[name];
    const ofLog = verifiers.map((verifier) => verifier.named(`${verifier.name}/${name}`));
    const source = {checkpoints: log.checkpoints, name, verifiers: [...verifiers, ...ofLog], kept: keptNotes};
    const notes = await checkNotes(source, findings);
    const ofWitnesses =
      witnesses &&
      (await checkWitnesses(
        witnesses,
        {
          log: name,
          location: log.location,
          stateFolder: witnesses.stateFolder,
          shared: state.cosignatures,
          verifiers: source.verifiers,
          kept: keptNotes,
          newest: (await log.checkpoints.sizes()).at(-1) ?? 0,
        },
        findings,
      ));
    return {log, notes, ofWitnesses, tiles: state.tileFolders && new TileCheck(state.tileFolders[name], findings)};
  };
  const eventChecks = eventChecksOf(state.specHash, findings);
  const {reported, specs, approvals} = eventChecks;
  // The events first: they say which contents may be gone.
  const events = await sourceOf('events');
  await verifyLog(
    {
      ...events,
      notes: headsOf(events),
      check: (line, at) => checkEvent(line, at, eventChecks),
      settle: () => specs.settle(),
    },
    findings,
  );
  const traces = await sourceOf('traces');
  const isSignedBefore = (seq: number, event: number): boolean =>
    traces.notes.some(({size, eventsSeen}) => size >= seq && eventsSeen < event);
  const blobs = new BlobCheck({read: (ref) => state.readContent(ref), reported, isSignedBefore}, findings);
  const attestations = new AttestationCheck(workers, findings);
  const checked = await verifyLog(
    {
      ...traces,
      notes: headsOf(traces),
      check: (line, at) => checkRecord(line, at, {blobs, attestations, deletions: reported.deletions}),
      settle: () => blobs.settle(),
    },
    findings,
  );
  const signers = signersOf(traces.notes, keys);
  return report(checked, {blobs, approvals, findings, signers, witnesses: traces.ofWitnesses});
}

function checkKept(notes: readonly string[], verifiers: readonly NoteVerifier[], findings: VerifyFinding[]): void {
  for (const [index, note] of notes.entries()) {
    if (openNote(note, verifiers) !== undefined) continue;
    findings.push({status: 'tampered', text: `kept checkpoint ${index + 1} is not signed by a known key`});
  }
}

interface CheckSource extends Pick<LogCheck, 'log' | 'tiles'> {
  readonly notes: readonly CheckedNote[];
  readonly ofWitnesses: WitnessCheck | undefined;
}

/** What the log must agree with. */
function headsOf({notes, ofWitnesses}: CheckSource): readonly SignedHead[] {
  return [...(ofWitnesses?.heads ?? []), ...notes];
}

interface Found {
  readonly blobs: BlobCheck;
  readonly approvals: ApprovalCheck;
  readonly findings: readonly VerifyFinding[];
  readonly signers: readonly EvidenceSigner[];
  readonly witnesses: WitnessCheck | undefined;
}

function report(traces: CheckedLog, {blobs, approvals, findings, signers, witnesses}: Found): VerifyReport {
  const key = signers.find(({verifier_key}) => verifier_key.startsWith(`${traces.signer ?? ''}+`))?.verifier_key;
  const texts = findings.slice(0, findingsMax).map(({text}) => text);
  if (findings.length > findingsMax) texts.push(`and ${findings.length - findingsMax} more`);
  return {
    status: worstStatus(findings) ?? (traces.lines === 0 ? 'empty' : 'verified'),
    records: traces.lines,
    blobs: blobs.count,
    redacted: blobs.redacted,
    lost: blobs.lost,
    expired: blobs.expired,
    root: traces.root,
    signed_records: traces.signedLines,
    signed_approvals: approvals.signed,
    ...(key !== undefined && {verifier_key: key}),
    signers,
    witnesses: witnesses?.witnesses ?? [],
    ...(witnesses && {witnessed_records: Math.min(witnesses.witnessed, traces.lines)}),
    findings: texts,
  };
}

function signersOf(notes: readonly CheckedNote[], keys: readonly string[]): readonly EvidenceSigner[] {
  return [...new Set(notes.map(({signer}) => signer))].map((name) => {
    const own = notes.filter(({signer}) => signer === name);
    return {
      verifier_key: keys.find((key) => key.startsWith(`${name}+`)) ?? name,
      checkpoints: own.length,
      records: Math.max(...own.map(({size}) => size)),
    };
  });
}

interface RecordChecks {
  readonly blobs: BlobCheck;
  readonly attestations: AttestationCheck;
  readonly deletions: HoldCheck;
}

function checkRecord(line: Buffer, at: LineAt, {blobs, attestations, deletions}: RecordChecks): boolean {
  const value = parseOrUndefined(line);
  if (!validateEvidenceRecord(value)) return false;
  const record = value as EvidenceRecord;
  const note = (ref: string | undefined, hash: string | undefined, call: HeldCall | undefined): void => {
    if (ref !== undefined) blobs.note({ref, hash, at, call});
  };
  if (record.type === 'tool_call_started') note(record.input_ref, record.input_hash, deletions.noteCall(record));
  if (record.type === 'tool_call_finished') {
    attestations.check(record, at);
    const call = deletions.endCall(record.receipt_id);
    note(record.output_ref, record.output_hash, call);
    note(record.log_ref, record.log_hash, call);
  }
  return true;
}

interface EventChecks {
  readonly reported: {readonly deletions: HoldCheck; readonly lost: Map<string, number>};
  readonly specs: SpecCheck;
  readonly approvals: ApprovalCheck;
  readonly onSalvage: (event: EvidenceSalvaged) => void;
}

function eventChecksOf(specHash: ReadSpecHash, findings: VerifyFinding[]): EventChecks {
  return {
    reported: {deletions: new HoldCheck(), lost: new Map()},
    specs: new SpecCheck(specHash, findings),
    approvals: new ApprovalCheck(findings),
    onSalvage: (event) => void findings.push(salvageFinding(event)),
  };
}

function checkEvent(line: Buffer, at: LineAt, {reported, specs, approvals, onSalvage}: EventChecks): boolean {
  const value = parseOrUndefined(line);
  if (!validateEvent(value)) return false;
  const event = value as KernelEvent;
  const {deletions, lost} = reported;
  deletions.noteEvent(event);
  approvals.noteEvent(event, at);
  if (event.type === 'task_created' || event.type === 'task_amended') specs.note(event, at);
  if (event.type === 'evidence_salvaged') onSalvage(event);
  // A later report does not explain more.
  if (event.type === 'evidence_lost') {
    for (const {ref} of event.contents) lost.set(ref, Math.min(lost.get(ref) ?? event.seq, event.seq));
  }
  return true;
}

function parseOrUndefined(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    // The caller takes it for what it is: not a record.
    return undefined;
  }
}
