// The signed log over any state: checkpoints in the background and on request, proofs, verification.
import {KernelError, type VerifyReport} from '@lumenflow/kernel';
import {
  noteText,
  parseCheckpoint,
  type EvidenceStore,
  type NoteSigner,
  type SignedLog,
} from '@lumenflow/kernel/adapters';
import type {EvidenceProof} from '@lumenflow/schemas';
import {throwDiskFailure} from '../log/disk-failure.ts';
import {Checkpointer} from './checkpointer.ts';
import {EvidenceProver} from './evidence-prover.ts';
import type {HeadOf, LogWitnesses} from './log-witnesses.ts';
import type {WorkspaceLogs} from './log-reader.ts';
import {LogTree, type TreeCache} from './log-tree.ts';
import {parseVerifierKey} from './note-key.ts';

export interface SignedLogOptions {
  readonly logs: WorkspaceLogs;
  readonly evidence: Pick<EvidenceStore, 'lines'>;
  readonly signer: NoteSigner;
  /** C2SP verifier keys of all signers so far. */
  readonly verifierKeys: () => readonly string[];
  readonly caches?: {readonly events: TreeCache; readonly traces: TreeCache} | undefined;
  /** Records between checkpoints that are made in the background. */
  readonly checkpointEvery: number;
  /** How long lines stay unsigned at most while the log is open, in milliseconds. */
  readonly unsignedMs: number;
  /** Opens the witnesses that cosign checkpoints; default none. */
  readonly openWitnesses?: ((head: HeadOf) => LogWitnesses) | undefined;
  readonly verify: () => Promise<VerifyReport>;
  readonly onWarning: (message: string) => void;
}

export interface OpenSignedLog extends SignedLog {
  /** Signs what this process appended, and waits for what is in progress. */
  close(): Promise<void>;
}

/** With the cosignatures that its checkpoint has. */
async function completeProof(
  proof: EvidenceProof | undefined,
  witnesses: LogWitnesses | undefined,
): Promise<EvidenceProof | undefined> {
  const {size} = parseCheckpoint(noteText(proof?.checkpoint ?? '') ?? '') ?? {};
  if (proof === undefined || witnesses === undefined || size === undefined) return proof;
  return {...proof, checkpoint: await witnesses.complete('traces', size, proof.checkpoint)};
}

/** Rejects with KernelError LOG_CORRUPT if a log has fewer lines than were signed. */
export async function openSignedLog(options: SignedLogOptions): Promise<OpenSignedLog> {
  const {logs, evidence, signer, verifierKeys, caches, verify} = options;
  const verifiers = verifierKeys().flatMap((key) => parseVerifierKey(key) ?? []);
  const withTree = (name: 'events' | 'traces') => ({
    log: logs[name],
    tree: new LogTree({name, log: logs[name], signer, verifiers, cache: caches?.[name]}),
  });
  const [events, traces] = [withTree('events'), withTree('traces')];
  const {checkpointEvery: every, unsignedMs, onWarning} = options;
  let witnesses: LogWitnesses | undefined;
  const checkpointer = new Checkpointer({
    events,
    traces,
    every,
    unsignedMs,
    onWarning,
    onSigned: () => witnesses?.notice(),
    beforeClose: async () => await witnesses?.close(),
  });
  await checkpointer.checkLogs();
  witnesses = options.openWitnesses?.((log, from, rebuild) => checkpointer.head(log, from, rebuild));
  // What an earlier process signed.
  witnesses?.notice();
  traces.log.live?.onLine((line, place) => {
    traces.tree.follow(line, place);
    checkpointer.noticeSize(place.seq);
  });
  const {checkpoints} = logs.traces;
  const prover = new EvidenceProver({evidence, checkpointer, checkpoints, verifierKeys});
  let closing: Promise<void> | undefined;
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing !== undefined) throw new KernelError('RUNTIME_CLOSED', 'the runtime is closed');
    return await work().catch(throwDiskFailure);
  };
  return {
    checkpoint: () => whileOpen(() => checkpointer.checkpoint()),
    cosign: () =>
      whileOpen(async () => {
        await checkpointer.checkpoint();
        const answers = (await witnesses?.submit()) ?? [];
        const head = await checkpointer.head('traces', 0, false);
        const {note = '', size = 0} = head ?? {};
        return {checkpoint: (await witnesses?.complete('traces', size, note)) ?? note, answers};
      }),
    prove: (receiptId) => whileOpen(async () => completeProof(await prover.prove(receiptId), witnesses)),
    proveConsistency: (fromSize) => whileOpen(() => prover.proveConsistency(fromSize)),
    verify: () => verify().catch(throwDiskFailure),
    close() {
      closing ??= checkpointer.close().catch(throwDiskFailure);
      return closing;
    },
  };
}
