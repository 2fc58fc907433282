// What the session and the task of a call did before it, from the records.
import {evidenceCallsMax} from '../limits.ts';
import type {KeptChanges} from '../changes/kept-changes.ts';
import type {Kernel} from '../context/kernel.ts';
import type {PastCall, PastCalls} from '../policy/past-calls.ts';
import type {Receipt} from '../ports.ts';
import type {FoundCall} from './call.ts';
import {onlyMakesCalls} from './only-makes-calls.ts';

type Asking = Pick<FoundCall, 'run' | 'task' | 'receipt_id'>;

/** Newest first, without the call itself and those that came after it. */
export interface RecordedCalls {
  readonly receipts: readonly Receipt[];
  /** False if there were more calls than are read. */
  readonly isWhole: boolean;
}

export type RecordedHistory = Readonly<Record<'session' | 'task', RecordedCalls>>;

/** By receipt; without those that are not known. */
export type PastInputs = ReadonlyMap<string, NonNullable<PastCall['input']>>;

const noCalls: RecordedCalls = {receipts: [], isWhole: true};

/** The calls of a program come after those of the session that started it. */
export async function readHistory(kernel: Kernel, call: Asking): Promise<RecordedHistory> {
  const {run, task} = call;
  const starter = task.spec.program?.from_session;
  const [own, ofStarter, ofTask] = await Promise.all([
    readCalls(kernel, call, {session_id: run.session_id}),
    starter === undefined ? noCalls : readCalls(kernel, call, {session_id: starter}),
    readCalls(kernel, call, {task_id: task.spec.id}),
  ]);
  const receipts = [...own.receipts, ...ofStarter.receipts].toSorted(
    (one, other) => other.started.seq - one.started.seq,
  );
  return {session: {receipts, isWhole: own.isWhole && ofStarter.isWhole}, task: ofTask};
}

async function readCalls(
  {ports}: Kernel,
  {receipt_id}: Asking,
  filter: {readonly session_id: string} | {readonly task_id: string},
): Promise<RecordedCalls> {
  const {receipts, next_before_seq} = await ports.evidence.read({...filter, limit: evidenceCallsMax});
  const own = receipts.findIndex((receipt) => receipt.receipt_id === receipt_id);
  return {receipts: receipts.slice(own + 1).filter(hasRun), isWhole: next_before_seq === undefined};
}

/** A call that was refused did nothing, and a preview belongs to a call that waits. */
function hasRun({started}: Receipt): boolean {
  return started.execution_mode !== 'none' && started.preview_of === undefined;
}

/** As conditions look at them, without calls that only make calls, which are recorded themselves. */
export function pastCalls(
  {workspace, state}: Pick<Kernel, 'workspace'> & {readonly state: Pick<Kernel['state'], 'changes'>},
  {receipts, isWhole}: RecordedCalls,
  inputs: PastInputs = new Map(),
): PastCalls {
  const byId = new Map(receipts.map((receipt) => [receipt.receipt_id, receipt]));
  const calls = receipts.flatMap((receipt): readonly PastCall[] => {
    const {receipt_id, started} = receipt;
    const callers = callersOf(receipt, byId);
    const tool = workspace.tools.get(started.tool_name);
    if (tool !== undefined && onlyMakesCalls(tool)) return [];
    return [
      {
        receipt_id,
        tool_name: started.tool_name,
        // A tool that is gone is taken for one that writes: the careful reading.
        permission: tool?.declaration.permission ?? 'write',
        succeeded: [receipt_id, ...callers].every((id, index) => hasEffect(byId.get(id), index > 0)),
        started_seq: started.seq,
        finished_seq: endOf(receipt, state.changes.get(receipt_id), receipts),
        callers,
        input: inputs.get(receipt_id),
      },
    ];
  });
  return {calls, isWhole};
}

/**
 * Whether a call succeeded and what it changed is not discarded, as in a dry run. Changes of a nested call are discarded with those of
 * its callers, which may still run or be older than what is read.
 */
function hasEffect(receipt: Receipt | undefined, isCaller: boolean): boolean {
  const finished = receipt?.finished;
  if (finished === undefined) return isCaller;
  if (finished.changes?.state === 'discarded') return false;
  return isCaller || finished.result === 'success';
}

/** Changes that waited for a person end when they are applied: before the first call that starts afterwards. */
function endOf({finished}: Receipt, kept: KeptChanges | undefined, receipts: readonly Receipt[]): number | undefined {
  if (finished === undefined || kept === undefined || kept.state === 'parked' || kept.state === 'discarded') {
    return finished?.seq;
  }
  const {settled_at: settledAt} = kept;
  if (settledAt === undefined) return undefined;
  const before = receipts.filter(({started}) => started.timestamp <= settledAt).map(({started}) => started.seq);
  return Math.max(finished.seq, ...before);
}

function callersOf(receipt: Receipt, byId: ReadonlyMap<string, Receipt>): readonly string[] {
  const callers: string[] = [];
  for (let at: Receipt | undefined = receipt; at?.started.parent_receipt_id !== undefined;) {
    callers.push(at.started.parent_receipt_id);
    at = byId.get(at.started.parent_receipt_id);
  }
  return callers;
}
