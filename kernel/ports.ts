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
  SandboxBackendName,
  SandboxBackendOptions,
  SecurityTier,
  TaskSpec,
  ToolOutput,
  Writes,
} from '@lumenflow/schemas';
import type {CancelSignal} from './dispatch/cancel-signal.ts';
import type {FinishedChanges, ParkedChanges} from './dispatch/finished-changes.ts';
import type {GivenChanges} from './dispatch/given-changes.ts';
import type {MaybePromise} from './maybe-promise.ts';
import type {Grant} from './scopes/index.ts';
import type {RegisteredTool} from './packs/loaded-pack.ts';
import type {Problem} from './problem.ts';
import type {WorkspacePaths} from './paths/workspace-paths.ts';

export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
  /** Now, or `offsetMs` from now, as UTC ISO 8601 with milliseconds; such texts compare in order of time. */
  timestamp(offsetMs?: number): string;
  /** Milliseconds from an arbitrary point, never going back. */
  monotonic(): number;
}

export interface Ids {
  /** A fresh, unguessable id such as `rcp-…`, valid as an identifier. */
  next(prefix: string): string;
}

export interface Digest {
  /** Lower-case hex; a string is hashed as UTF-8. */
  sha256(content: string | Uint8Array): string;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** What a writer hands in; the log adds `seq` and `prev`. */
export type NewEvent = DistributiveOmit<KernelEvent, 'seq' | 'prev'>;
export type NewEvidenceRecord = DistributiveOmit<EvidenceRecord, 'seq' | 'prev'>;

export interface EventRange {
  readonly afterSeq?: number | undefined;
  readonly limit?: number | undefined;
}

export interface EventLog {
  /** Reads what other processes appended since the last refresh. Each call does this, so it must be cheap when nothing changed. */
  refresh(): MaybePromise<void>;
  /**
   * One critical section for all processes of the workspace: refreshes, calls `decide` on the newest state, appends its
   * events durably and returns its result. `decide` is synchronous and has no effects: a log may call it again on a newer state.
   * Rejects with KernelError LOG_UNAVAILABLE if the events cannot be recorded; then none of them is.
   */
  transact<T>(decide: () => {readonly events: readonly NewEvent[]; readonly result: T}): Promise<T>;
  /**
   * Calls the listener for each event in order of seq: first for those known now, later for each new one before its
   * `transact` or `refresh` returns. Returns the function that ends this.
   */
  onEvent(listener: (event: KernelEvent) => void): MaybePromise<() => void>;
  /** Events after `afterSeq`, oldest first, as of the last refresh. */
  read(filter: EventRange): MaybePromise<readonly KernelEvent[]>;
}

export interface EvidenceFilter {
  readonly task_id?: string;
  readonly session_id?: string;
  readonly tool_name?: string;
  /** Who made the call. */
  readonly by?: string | undefined;
  readonly result?: CallResult | 'open';
  /** ISO 8601 bounds on the start of a call. */
  readonly since?: string;
  readonly until?: string;
  /** Receipts at most, newest first; default 100. */
  readonly limit?: number;
  /** Continue below this start seq. */
  readonly before_seq?: number | undefined;
}

/** Which calls are exported; without any bound, all records are. */
export type EvidenceExportFilter = Pick<EvidenceFilter, 'since' | 'until' | 'task_id'>;

/** All that was recorded of one call. */
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

/** Outcome of checking an evidence log; `status` maps to the CLI's exit codes. */
export interface VerifyReport {
  readonly status: 'verified' | 'tampered' | 'truncated' | 'unsigned_tail' | 'empty' | 'blob_missing';
  readonly records: number;
  readonly blobs: number;
  /** References to contents that were redacted and are gone; each is a finding, too. */
  readonly redacted: number;
  /** References to contents that a loss of power took before they were on disk or signed; each is a finding, too. */
  readonly lost: number;
  /** RFC 6962 root over all records, hex; of the empty tree when there are none. */
  readonly root: string;
  /** Records covered by the newest valid signed checkpoint. */
  readonly signed_records: number;
  /** Public key of the signer as a C2SP verifier key, when there is a checkpoint. */
  readonly verifier_key?: string;
  /** What is wrong, first finding first: file, record, what was expected. */
  readonly findings: readonly string[];
}

/** The records of calls. */
export interface EvidenceStore {
  /**
   * Appends in order, all or nothing. Resolves once written (it survives this process), or with
   * `fsync` once durable (it survives the machine), together with the contents that the records refer to.
   * Rejects with KernelError LOG_UNAVAILABLE if it cannot be recorded.
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
  /** Stores a text by the SHA-256 of its UTF-8 bytes; it is written before the promise resolves. Rejects with KernelError LOG_UNAVAILABLE. */
  put(text: string): Promise<{readonly hash: string; readonly ref: string}>;
  /** The text behind a ref; undefined if it is gone. Throws KernelError LOG_CORRUPT if its hash is wrong. */
  get(ref: string): Promise<string | undefined>;
  /**
   * Overwrites every copy of a content, whichever records refer to it; returns the refs of these copies. The caller has
   * recorded the reason. If the content is put again, it gets a new ref. Rejects with KernelError LOG_UNAVAILABLE.
   */
  shred(hash: string): Promise<readonly string[]>;
  /** Called with contents that some process has shredded: their refs must not be reused. */
  forget(hashes: readonly string[]): void;
}

/** The logs' Merkle trees: signed checkpoints, proofs, and verification. Written once, for every store. */
export interface SignedLog {
  /** Signs a tree head over all records so far; returns the note's text. */
  checkpoint(): Promise<string>;
  /**
   * What a third party needs to verify that a call's records are in the signed log; signs a checkpoint if the newest
   * does not cover them. Undefined if there is no such receipt. Throws KernelError LOG_CORRUPT.
   */
  prove(receiptId: string): Promise<EvidenceProof | undefined>;
  /** That the log signed at this size is the beginning of the log signed now; undefined if none was signed at it. */
  proveConsistency(fromSize: number): Promise<ConsistencyProof | undefined>;
  verify(): Promise<VerifyReport>;
}

export interface TaskStore {
  /** Writes the spec once. Answers `exists` when a task of this id is there already. */
  create(spec: TaskSpec): Promise<{readonly spec_hash: string} | 'exists'>;
  /** Writes what a spec was amended to, beside the first one; under its hash, so that again is as good as once. */
  amend(spec: TaskSpec): Promise<{readonly spec_hash: string}>;
  /** The first spec, or the one amended to that has this hash, and the hash of its bytes as they are now; undefined when there is none. */
  read(
    taskId: string,
    amendedHash?: string,
  ): Promise<{readonly spec: TaskSpec; readonly spec_hash: string} | undefined>;
}

export interface SpecGuard {
  /** SHA-256 of workspace.yaml's bytes at start, hex. */
  readonly specHash: string;
  /** False once the file's bytes differ from those loaded, or it is gone; stays false. */
  isIntact(): boolean;
}

export interface ProcessRegistry {
  /** Names this kernel instance in `tool_call_started.process_id`. */
  readonly processId: string;
  /** Whether the kernel instance behind a process id still lives. */
  isAlive(processId: string): boolean;
}

/** What workspace.yaml asks of the sandbox of a lane's calls; without it, the host chooses. */
export interface SandboxChoice {
  /** The higher of the workspace's tier and the lane's. */
  readonly security_tier?: SecurityTier | undefined;
  /** The backend that runs calls, or several in order of preference. */
  readonly sandbox_backend?: SandboxBackendName | readonly SandboxBackendName[];
  readonly sandbox_backend_options?: SandboxBackendOptions;
}

/** One admitted call on its way to a handler. */
export interface DispatchRequest extends SandboxChoice {
  readonly receipt_id: string;
  /** How many calls this one is nested in; 0 for a call from outside. */
  readonly depth: number;
  readonly tool: RegisteredTool;
  readonly input: unknown;
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly lane_id: string;
  /** Who makes the call. */
  readonly principal?: CallPrincipal;
  readonly grant: Grant;
  readonly scope_enforced: GrantedScopes;
  /** transactional: what the handler writes is handed over as a change set, and nothing of it is in the workspace yet. */
  readonly writes: Writes;
  /** Receipt of the transactional call in whose view this one works: what it writes becomes part of that call's changes. */
  readonly caller_receipt_id?: string | undefined;
  /** Whatever is written will be discarded: only the change set is asked for. */
  readonly dry_run?: boolean | undefined;
  /** Workspace-relative patterns of what is trusted beside what programs obey everywhere: see `trustedPathsOf`. */
  readonly trusted_paths?: readonly string[];
  /** What no call of the workspace gets beyond. */
  readonly limit_ceilings?: LimitCeilings | undefined;
  /** Aborts when the caller cancels. */
  readonly signal?: CancelSignal;
  onProgress(payload: unknown): void;
  onLog(entry: {
    readonly level: 'debug' | 'info' | 'warn' | 'error';
    readonly message: string;
    readonly fields?: Record<string, unknown>;
  }): void;
  /** A child call through the whole pipeline, with a receipt of its own. */
  callTool(name: string, input: unknown): Promise<ToolOutput>;
}

export interface DispatchOutcome {
  readonly output: ToolOutput;
  readonly artifacts_written?: readonly string[];
  readonly enforcement?: Enforcement;
  /** Receipt of the call whose changes these take back. */
  readonly reverts?: string;
  /** Of a transactional call whose changes could be found out: whether it succeeded or not. */
  readonly held?: FinishedChanges;
  /** Called once the outcome is recorded, or could not be: what would have slowed the call down may begin. */
  afterCall?(): void;
}

export interface Dispatcher {
  /** Where the tool's handler would run. */
  modeOf(tool: RegisteredTool, writes: Writes): 'pool' | 'sandbox';
  /** Whether a sandbox chosen by these settings can keep what a call writes in a private view; without it, it can. */
  hasViews?(choice: SandboxChoice): boolean;
  /**
   * The person who started the host agreed to direct writes, as `security.direct_writes` does. Tools and lanes that declare
   * transactional writes keep them.
   */
  readonly agreesToDirectWrites?: boolean;
  /**
   * Why no backend of this choice reaches its tier on any machine; undefined if one may. The workspace is not loaded then.
   * Without it, only calls are refused.
   */
  unmetTier?(choice: SandboxChoice): Pick<Problem, 'message' | 'help'> | undefined;
  /** Never rejects for what a handler does: crash, timeout and cancel are outcomes. */
  dispatch(request: DispatchRequest): Promise<DispatchOutcome>;
  /** Hands over given changes as though a handler had made them, held against the request's grant. Without it nothing is reverted. */
  makeChanges?(request: DispatchRequest, given: GivenChanges): Promise<DispatchOutcome>;
  /** Without it no change set can be parked. */
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
}
