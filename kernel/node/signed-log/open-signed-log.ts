// The signed log over any state: checkpoints in the background and on request, proofs, verification.
import {KernelError, type VerifyReport} from '@lumenflow/kernel';
import type {EvidenceStore, NoteSigner, SignedLog} from '@lumenflow/kernel/adapters';
import {throwDiskFailure} from '../log/disk-failure.ts';
import {Checkpointer} from './checkpointer.ts';
import {EvidenceProver} from './evidence-prover.ts';
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
  readonly verify: () => Promise<VerifyReport>;
  readonly onWarning: (message: string) => void;
}

export interface OpenSignedLog extends SignedLog {
  /** Signs what this process appended, and waits for what is in progress. */
  close(): Promise<void>;
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
  const checkpointer = new Checkpointer({events, traces, every, unsignedMs, onWarning});
  await checkpointer.checkLogs();
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
    prove: (receiptId) => whileOpen(() => prover.prove(receiptId)),
    proveConsistency: (fromSize) => whileOpen(() => prover.proveConsistency(fromSize)),
    verify: () => verify().catch(throwDiskFailure),
    close() {
      closing ??= checkpointer.close().catch(throwDiskFailure);
      return closing;
    },
  };
}
