// The records of a workspace for embedders: reading, proving, redacting and keeping them.
import type {ConsistencyProof, EvidenceProof} from '@lumenflow/schemas';
import type {Kernel} from '../context/kernel.ts';
import type {CosignedCheckpoint} from '../evidence/cosigned-checkpoint.ts';
import type {VerifyReport} from '../evidence/verify-report.ts';
import type {EvidenceExportFilter, EvidenceFilter, EvidencePage, KernelPorts, Receipt} from '../ports.ts';
import {expireContents, type Expiry, type ExpiryOrder} from '../transitions/expire-contents.ts';
import {holdEvidence, liftHold, type HoldCommand, type LiftCommand} from '../transitions/hold-evidence.ts';
import type {Hold} from '../retention/retention.ts';
import type {TransitionResult} from '../transition.ts';
import {
  redactEvidence,
  type Redaction,
  type RedactionReason,
  type RedactionTarget,
} from '../transitions/redact-evidence.ts';
import type {Lifecycle} from './lifecycle.ts';
import {readRefused} from './read-refused.ts';

export interface RuntimeEvidence {
  /** `refused`: only calls that were refused something, before or while they ran. */
  readTraces(filter?: EvidenceFilter & {readonly refused?: boolean}): Promise<EvidencePage>;
  readTracesByTaskId(taskId: string): Promise<EvidencePage>;
  receipt(receiptId: string): Promise<Receipt | undefined>;
  /** All records of the calls that began within the bounds, in order, as JSON Lines with their newlines. */
  export(filter?: EvidenceExportFilter): AsyncIterable<string>;
  /** The canonical JSON text of an input or output, by its ref. */
  readBlob(ref: string): Promise<string | undefined>;
  /**
   * Permanently destroys the contents of one call, or the content of one ref. The author and the reason are recorded first. Every
   * copy is destroyed, for all calls that share it. The records remain valid, and report the redaction. Texts in the records
   * themselves (error messages, progress, metadata) cannot be redacted.
   */
  redact(target: RedactionTarget, reason: RedactionReason): Promise<TransitionResult<Redaction>>;
  /** Keeps the contents of calls from being deleted and redacted, until it is lifted. */
  hold(command: HoldCommand): Promise<TransitionResult<Hold>>;
  liftHold(command: LiftCommand): Promise<TransitionResult<Hold>>;
  /** Legal holds in force, the oldest first. */
  holds(): readonly Hold[];
  /** Deletes contents of old calls by a rule; the records remain. Contents that newer calls or legal holds need stay. */
  expire(order: ExpiryOrder): Promise<Expiry>;
  verify(): Promise<VerifyReport>;
  /** Signs a tree head over all records, and returns the note. */
  checkpoint(): Promise<string>;
  /** Signs the same, submits it to the workspace's witnesses, and waits for their answers, at most 10 seconds for each. */
  cosign(): Promise<CosignedCheckpoint>;
  /** A self-contained proof that a call's records are in the signed log. Verifying it needs no access to the log. */
  prove(receiptId: string): Promise<EvidenceProof | undefined>;
  /** Proves that the log that was signed at this size is a prefix of the current log. Undefined if no log was signed at this size. */
  proveConsistency(fromSize: number): Promise<ConsistencyProof | undefined>;
}

export function evidenceOf(
  {evidence, contents, signed}: KernelPorts,
  {run, transition}: Lifecycle,
  fresh: () => Kernel['state'],
): RuntimeEvidence {
  return {
    readTraces: ({refused = false, ...filter} = {}) =>
      run(() => (refused ? readRefused((each) => evidence.read(each), filter) : evidence.read(filter))),
    readTracesByTaskId: (task_id) => run(() => evidence.read({task_id, limit: Number.MAX_SAFE_INTEGER})),
    receipt: (receiptId) => run(() => evidence.receipt(receiptId)),
    export: (filter) => evidence.export(filter ?? {}),
    readBlob: (ref) => run(() => contents.get(ref)),
    redact: (target, reason) => transition((kernel) => redactEvidence(kernel, target, reason)),
    hold: (command) => transition((kernel) => holdEvidence(kernel, command)),
    liftHold: (command) => transition((kernel) => liftHold(kernel, command)),
    holds: () => fresh().retention.holds,
    expire: (order) => run(async (kernel) => await expireContents(kernel, order)),
    verify: () => run(() => signed.verify()),
    checkpoint: () => run(() => signed.checkpoint()),
    cosign: () => run(() => signed.cosign()),
    prove: (receiptId) => run(() => signed.prove(receiptId)),
    proveConsistency: (fromSize) => run(() => signed.proveConsistency(fromSize)),
  };
}
