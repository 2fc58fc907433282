// Verifies a workspace's evidence as a third party would, without a lock and without writing. It reads the workspace itself, a copy of
// `.lumenflow/kernel`, or another store.
import type {VerifyReport} from '@lumenflow/kernel';
import {openNote} from '@lumenflow/kernel/adapters';
import type {EvidenceRecord, KernelEvent} from '@lumenflow/schemas';
import {validateEvent, validateEvidenceRecord} from '@lumenflow/schemas/validators';
import {join} from 'node:path';
import {BlobWindows} from '../blobs/blob-windows.ts';
import {createSegmentSource} from '../signed-log/segment-source.ts';
import type {LogSource, WorkspaceLogs} from '../signed-log/log-reader.ts';
import {parseVerifierKey, readVerifierKeys} from '../signed-log/note-key.ts';
import {createNoteFiles} from '../signed-log/note-files.ts';
import {specFileHash, specFileName} from '../tasks/file-task-store.ts';
import {BlobCheck, type ReadContent} from './blob-check.ts';
import {checkNotes} from './check-notes.ts';
import {worstStatus, type VerifyFinding} from './verify-finding.ts';
import {SpecCheck, type ReadSpecHash} from './spec-check.ts';
import {TileCheck} from './tile-check.ts';
import {verifyLog, type CheckedLog, type LineAt, type LogCheck} from './verify-log.ts';

export interface VerifyOptions {
  /** C2SP verifier keys to trust; without them those published in `keyFolder` are. */
  readonly verifierKeys?: readonly string[] | undefined;
  /** The folder of `evidence.pub`. */
  readonly keyFolder?: string;
  /** Signed checkpoints kept elsewhere: they reveal a log that was rolled back together with its checkpoints. */
  readonly keptNotes?: readonly string[];
}

/** Findings beyond these are only counted. */
const findingsMax = 100;

/** What is verified. */
export interface VerifiedState {
  readonly logs: WorkspaceLogs<LogSource>;
  /** Folders of stored tree hashes, where there are any. */
  readonly tileFolders?: {readonly events: string; readonly traces: string} | undefined;
  readonly readContent: ReadContent;
  readonly specHash: ReadSpecHash;
}

/** `stateFolder` is `.lumenflow/kernel` or a copy of it. */
export async function verifyEvidence(stateFolder: string, options: VerifyOptions): Promise<VerifyReport> {
  const blobs = new BlobWindows(join(stateFolder, 'evidence', 'inputs'));
  const tileFolder = (name: string): string => join(stateFolder, 'evidence', 'tree', name);
  const source = (name: string, folder: string): LogSource =>
    createSegmentSource(folder, createNoteFiles(tileFolder(name)));
  const keys = options.verifierKeys ?? (options.keyFolder === undefined ? [] : readVerifierKeys(options.keyFolder));
  try {
    return await verifyState(
      {
        logs: {
          events: source('events', join(stateFolder, 'events')),
          traces: source('traces', join(stateFolder, 'evidence', 'traces')),
        },
        tileFolders: {events: tileFolder('events'), traces: tileFolder('traces')},
        readContent: (ref) => blobs.read(ref),
        specHash: (taskId, amendedHash) => specFileHash(join(stateFolder, 'tasks', specFileName(taskId, amendedHash))),
      },
      {keys, keptNotes: options.keptNotes ?? []},
    );
  } finally {
    blobs.close();
  }
}

export interface VerifyKeys {
  /** C2SP verifier keys. */
  readonly keys: readonly string[];
  readonly keptNotes?: readonly string[];
}

export async function verifyState(state: VerifiedState, {keys, keptNotes = []}: VerifyKeys): Promise<VerifyReport> {
  const verifiers = keys.flatMap((key) => parseVerifierKey(key) ?? []);
  const findings: VerifyFinding[] = [];
  for (const [index, note] of keptNotes.entries()) {
    if (openNote(note, verifiers) !== undefined) continue;
    findings.push({status: 'tampered', text: `kept checkpoint ${index + 1} is not signed by a known key`});
  }
  const sourceOf = async (name: 'events' | 'traces'): Promise<Pick<LogCheck, 'log' | 'notes' | 'tiles'>> => {
    const log = state.logs[name];
    const notes = await checkNotes({checkpoints: log.checkpoints, name, verifiers, kept: keptNotes}, findings);
    return {log, notes, tiles: state.tileFolders && new TileCheck(state.tileFolders[name], findings)};
  };
  const reported = {redacted: new Set<string>(), lost: new Map<string, number>()};
  const specs = new SpecCheck(state.specHash, findings);
  // The events first: they say which contents may be gone.
  await verifyLog(
    {
      ...(await sourceOf('events')),
      check: (line, at) => checkEvent(line, at, {reported, specs}),
      settle: () => specs.settle(),
    },
    findings,
  );
  const traces = await sourceOf('traces');
  const isSignedBefore = (seq: number, event: number): boolean =>
    traces.notes.some(({size, eventsSeen}) => size >= seq && eventsSeen < event);
  const blobs = new BlobCheck({read: (ref) => state.readContent(ref), reported, isSignedBefore}, findings);
  const checked = await verifyLog(
    {...traces, check: (line, at) => checkRecord(line, at, blobs), settle: () => blobs.settle()},
    findings,
  );
  return report(checked, {blobs, findings, keys});
}

function report(
  traces: CheckedLog,
  found: {blobs: BlobCheck; findings: readonly VerifyFinding[]; keys: readonly string[]},
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
    blobs.note(record.input_ref, record.input_hash, at);
  }
  if (record.type === 'tool_call_finished') {
    if (record.output_ref !== undefined) blobs.note(record.output_ref, record.output_hash, at);
    if (record.log_ref !== undefined) blobs.note(record.log_ref, record.log_hash, at);
  }
  return true;
}

function checkEvent(
  line: Buffer,
  at: LineAt,
  {reported, specs}: {readonly reported: {redacted: Set<string>; lost: Map<string, number>}; readonly specs: SpecCheck},
): boolean {
  const value = parseOrUndefined(line);
  if (!validateEvent(value)) return false;
  const event = value as KernelEvent;
  const {redacted, lost} = reported;
  if (event.type === 'task_created' || event.type === 'task_amended') specs.note(event, at);
  if (event.type === 'evidence_redacted') for (const hash of event.hashes) redacted.add(hash);
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
