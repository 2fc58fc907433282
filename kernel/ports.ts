// Every power the kernel is lent. The kernel itself reads no clock, no file and no environment:
// adapters (kernel/node, host) implement these, and a fake passes the same conformance suite.
import type {
  CallPrincipal,
  CallResult,
  ConsistencyProof,
  Enforcement,
  EvidenceProof,
  EvidenceRecord,
  GrantedScopes,
  KernelEvent,
  LimitCeilings,
  TaskSpec,
  ToolOutput,
  Writes,
} from '@lumenflow/schemas';
import type {CancelSignal} from './dispatch/cancel-signal.ts';
import type {FinishedChanges, ParkedChanges} from './dispatch/finished-changes.ts';
import type {GivenChanges} from './dispatch/given-changes.ts';
import type {HandlerHome} from './dispatch/handler-home.ts';
import type {SandboxChoice} from './dispatch/sandbox-choice.ts';
import type {ToolReach} from './dispatch/tool-reach.ts';
import type {CosignedCheckpoint} from './evidence/cosigned-checkpoint.ts';
import type {VerifyReport} from './evidence/verify-report.ts';
import type {MaybePromise} from './maybe-promise.ts';
import type {Grant, PathRefusal} from './scopes/index.ts';
import type {RegisteredTool} from './packs/loaded-pack.ts';
import type {PasskeyVerifier} from './passkey-verifier.ts';
import type {Problem} from './problem.ts';
import type {SnapshotStore} from './records/snapshot-store.ts';
import type {WorkspacePaths} from './paths/workspace-paths.ts';

export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Now, or `offsetMs` from now, as UTC ISO 8601 with milliseconds; such texts compare in order of time. */
  timestamp(offsetMs?: number): string;
  /** Milliseconds since an arbitrary point; never decreases. */
  monotonic(): number;
}

export interface Ids {
  /** A new, unguessable id such as `rcp-…`, valid as an identifier. */
  next(prefix: string): string;
}

export interface Digest {
  /** Lower-case hex; a string is hashed as UTF-8. */
  sha256(content: string | Uint8Array): string;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An event as its writer passes it; the log adds `seq` and `prev`. */
export type NewEvent = DistributiveOmit<KernelEvent, 'seq' | 'prev'>;
export type NewEvidenceRecord = DistributiveOmit<EvidenceRecord, 'seq' | 'prev'>;

export interface EventRange {
  readonly afterSeq?: number | undefined;
  readonly limit?: number | undefined;
}

export interface EventLog {
  /** Reads what other processes have appended since the last refresh. Each call does this, so it must be cheap if nothing changed. */
  refresh(): MaybePromise<void>;
  /**
   * One critical section for all processes of the workspace: refreshes, calls `decide` on the newest state, appends its
   * events durably and returns its result. `decide` is synchronous and has no effects: a log may call it again on a newer state.
   * Rejects with KernelError LOG_UNAVAILABLE if the events cannot be recorded; in that case none of them is recorded.
   */
  transact<T>(decide: () => {readonly events: readonly NewEvent[]; readonly result: T}): Promise<T>;
  /**
   * Calls the listener for each event after `afterSeq` in order of seq: first for the known events, then for each new one before its
   * `transact` or `refresh` returns. Returns a function that removes the listener.
   */
  onEvent(listener: (event: KernelEvent) => void, afterSeq?: number): MaybePromise<() => void>;
  /** Without it, every start reads the whole log. */
  readonly snapshots?: SnapshotStore;
  /** Events after `afterSeq`, oldest first, as of the last refresh. */
  read(filter: EventRange): MaybePromise<readonly KernelEvent[]>;
}

export interface EvidenceFilter {
  readonly task_id?: string;
  readonly session_id?: string;
  readonly tool_name?: string;
  /** The name of the principal that made the call. */
  readonly by?: string | undefined;
  readonly result?: CallResult | 'open';
  /** ISO 8601 bounds on the start of a call. */
  readonly since?: string;
  readonly until?: string;
  /** Maximum number of receipts, newest first; default 100. */
  readonly limit?: number;
  /** Continue below this start seq. */
  readonly before_seq?: number | undefined;
}

/** Selects the calls to export. Without bounds, all records are exported. */
export type EvidenceExportFilter = Pick<EvidenceFilter, 'since' | 'until' | 'task_id'>;

/** Everything that was recorded for one call. */
export interface Receipt {
  readonly receipt_id: string;
  readonly started: Extract<EvidenceRecord, {type: 'tool_call_started'}>;
  readonly progress: readonly Extract<EvidenceRecord, {type: 'tool_call_progress'}>[];
  readonly finished?: Extract<EvidenceRecord, {type: 'tool_call_finished'}>;
}

export interface EvidencePage {
  readonly receipts: readonly Receipt[];
  /** Pass as `before_seq` for the next page; absent on the last. */
  readonly next_before_seq?: number;
}

/** The records of calls. */
export interface EvidenceStore {
  /**
   * Appends all records in order, or none. Resolves once they are written (and survive a crash of this process), or with
   * `fsync` once they are durable (and survive a power cut), together with the contents that they refer to.
   * Rejects with KernelError LOG_UNAVAILABLE if they cannot be recorded.
   */
  append(records: readonly NewEvidenceRecord[], options: {readonly fsync: boolean}): Promise<void>;
  receipt(receiptId: string): Promise<Receipt | undefined>;
  read(filter: EvidenceFilter): Promise<EvidencePage>;
  /** The records of one call as they are in the log, in order, without newlines; none if there is no such call. */
  lines(receiptId: string): Promise<readonly string[]>;
  /** Records as JSON Lines in order, each line as it is in the log, with its newline. Throws KernelError LOG_CORRUPT. */
  export(filter: EvidenceExportFilter): AsyncIterable<string>;
  /** Calls that were started and not finished, by any process. */
  openCalls(): Promise<readonly Receipt[]>;
}

/** Inputs, outputs and logs of calls, by their SHA-256. */
export interface ContentStore {
  /** Stores a text under the SHA-256 of its UTF-8 bytes, and resolves once it is written. Rejects with KernelError LOG_UNAVAILABLE. */
  put(text: string): Promise<{readonly hash: string; readonly ref: string}>;
  /** The text of a ref; undefined if it no longer exists. Throws KernelError LOG_CORRUPT if its hash is wrong. */
  get(ref: string): Promise<string | undefined>;
  /**
   * Overwrites every copy of a content, for all records that refer to it, and returns the refs of these copies. The reason has
   * already been recorded. If the content is put again, it gets a new ref. Rejects with KernelError LOG_UNAVAILABLE.
   */
  shred(hash: string): Promise<readonly string[]>;
  /**
   * Shreds many contents that no call needs any more, and returns how many had a copy. A store that several processes use calls
   * `dropNeeded` before each step, while no other process can record a call. It removes from `hashes` what was recorded since then.
   * A record whose content was stored before such a step and is gone after it must be rejected with `ContentDeleted`. Absent if the store is
   * not shared.
   */
  shredUnneeded?(hashes: Set<string>, dropNeeded: () => Promise<void>): Promise<number>;
  /** Called with the contents that a process has shredded: their refs must not be reused. */
  forget(hashes: readonly string[]): void;
  /** Called when any content may have been shredded; absent if no ref is reused. */
  forgetAll?(): void;
}

/** The logs' Merkle trees: signed checkpoints, proofs and verification. One implementation serves every store. */
export interface SignedLog {
  /** Signs a tree head over all records so far; returns the note's text. */
  checkpoint(): Promise<string>;
  /** Signs the same, submits it to the workspace's witnesses, and waits for their answers. */
  cosign(): Promise<CosignedCheckpoint>;
  /**
   * What a third party needs to verify that a call's records are in the signed log; signs a checkpoint if the newest
   * does not cover them. Undefined if there is no such receipt. Throws KernelError LOG_CORRUPT.
   */
  prove(receiptId: string): Promise<EvidenceProof | undefined>;
  /** Proves that the log that was signed at this size is a prefix of the log that is signed now. Undefined if no log was signed at this size. */
  proveConsistency(fromSize: number): Promise<ConsistencyProof | undefined>;
  verify(): Promise<VerifyReport>;
}

export interface TaskStore {
  /** Writes the spec once. Returns `exists` if there is already a task with this id. */
  create(spec: TaskSpec): Promise<{readonly spec_hash: string} | 'exists'>;
  /** Writes an amended spec beside the first one, under its hash, so repeating it changes nothing. */
  amend(spec: TaskSpec): Promise<{readonly spec_hash: string}>;
  /** Returns the first spec, or the amended one with this hash, and the hash of its current bytes; undefined if there is none. */
  read(
    taskId: string,
    amendedHash?: string,
  ): Promise<{readonly spec: TaskSpec; readonly spec_hash: string} | undefined>;
}

export interface SpecGuard {
  /** SHA-256 of the bytes of workspace.yaml at the start, hex. */
  readonly specHash: string;
  /** False as soon as the file differs from the loaded bytes or no longer exists; stays false. */
  isIntact(): boolean;
}

export interface ProcessRegistry {
  /** Identifies this kernel instance in `tool_call_started.process_id`. */
  readonly processId: string;
  /** Whether the kernel instance with this process id is still alive. */
  isAlive(processId: string): boolean;
  /** Calls the listener whenever other instances are found to have ended. Of registries that find out by themselves. Returns a function that removes it. */
  onEnded?(listener: () => Promise<void>): () => void;
}

/** One admitted call on its way to a handler. */
export interface DispatchRequest extends SandboxChoice {
  readonly receipt_id: string;
  /** Number of calls that this one is nested in; 0 for a call from outside. */
  readonly depth: number;
  readonly tool: RegisteredTool;
  readonly input: unknown;
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly lane_id: string;
  /** The person or program that makes the call. */
  readonly principal?: CallPrincipal;
  readonly grant: Grant;
  readonly scope_enforced: GrantedScopes;
  /** transactional: the dispatcher returns what the handler wrote as a change set, and does not change the workspace. */
  readonly writes: Writes;
  /** Receipt of the transactional call in whose view this one works. What it writes becomes part of that call's changes. */
  readonly caller_receipt_id?: string | undefined;
  /** Everything that is written will be discarded: only the change set is needed. */
  readonly dry_run?: boolean | undefined;
  /** Workspace-relative patterns of trusted paths, in addition to those that programs obey everywhere: see `trustedPathsOf`. */
  readonly trusted_paths?: readonly string[];
  /** Limits that no call of the workspace can exceed. */
  readonly limit_ceilings?: LimitCeilings | undefined;
  /** Aborts when the call is cancelled. */
  readonly signal?: CancelSignal;
  onProgress(payload: unknown): void;
  onLog(entry: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly message: string;
    readonly fields?: Record<string, unknown>;
  }): void;
  readonly reach?: ToolReach;
  /** Makes a nested call, which goes through the whole pipeline and has its own receipt. `signal`: cancels it; default that of this call. */
  callTool(name: string, input: unknown, signal?: CancelSignal): Promise<ToolOutput>;
}

export interface DispatchOutcome {
  readonly output: ToolOutput;
  readonly artifacts_written?: readonly string[];
  readonly enforcement?: Enforcement;
  /** Receipt of the call that these changes revert. */
  readonly reverts?: string;
  /** The changes of a transactional call, whether it succeeded or failed; absent if they could not be determined. */
  readonly held?: FinishedChanges;
  /** Called once the outcome is recorded, or could not be recorded. Starts the work that would have delayed the call. */
  afterCall?(): void;
}

export interface Dispatcher {
  /** Where the tool's handler would run. */
  modeOf(tool: RegisteredTool, writes: Writes): HandlerHome;
  /** Whether a sandbox with these settings can keep a call's writes in a private view. Without this method, it can. */
  hasViews?(choice: SandboxChoice): boolean;
  /**
   * Whether the person who started the host allows direct writes, as `security.direct_writes` does. Tools and lanes that declare
   * transactional writes are not affected.
   */
  readonly agreesToDirectWrites?: boolean;
  /**
   * Why no backend of this choice reaches its tier on any machine, so that the workspace is not loaded; undefined if one may.
   * Without this method, only calls are rejected.
   */
  unmetTier?(choice: SandboxChoice): Pick<Problem, 'message' | 'help'> | undefined;
  /** Why a call could not write a path, which programs outside the sandbox may obey; `trusted`: patterns of the workspace. */
  whyNotWrite?(path: string, grant: Grant, trusted: readonly string[]): PathRefusal | undefined;
  /** Never rejects because of a handler: a crash, a timeout and a cancellation are outcomes. */
  dispatch(request: DispatchRequest): Promise<DispatchOutcome>;
  /** Returns the given changes as if a handler had made them, checked against the grant. Without this method, nothing can be reverted. */
  makeChanges?(request: DispatchRequest, given: GivenChanges): Promise<DispatchOutcome>;
  /** Without it, no change set can be parked. */
  readonly parked?: ParkedChanges;
  close(): Promise<void>;
}

export interface KernelPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly digest: Digest;
  readonly events: EventLog;
  readonly evidence: EvidenceStore;
  readonly contents: ContentStore;
  readonly signed: SignedLog;
  readonly tasks: TaskStore;
  readonly specGuard: SpecGuard;
  readonly processes: ProcessRegistry;
  readonly paths: WorkspacePaths;
  readonly dispatcher: Dispatcher;
  /** Without it, no approval that must be signed with a passkey counts. */
  readonly passkeys?: PasskeyVerifier;
  /** Rejects with KernelError LOG_UNAVAILABLE if nothing can be recorded now; default: `events.refresh`. */
  checkWritable?(): Promise<void>;
  /** Lets timers and input run if they have waited for long; asked before each operation. Default: the callers see to it. */
  giveTurn?(): Promise<void> | undefined;
}
