// The calls of a run by their steps, from the evidence of its task. Evidence is the only record of a run.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {attemptOfReceipt, type CallAttempt} from './call-attempt.ts';

/** In the metadata of each call of a run. */
export const stepKey = 'program_step';

export interface CallJournal {
  /** Oldest first. */
  attempts(step: string): readonly CallAttempt[];
  add(step: string, attempt: CallAttempt): void;
  /** Of the first call of a step, or of one below it, in milliseconds since the epoch. */
  beganAt(step: string): number | undefined;
  /** Number of calls. */
  readonly size: number;
}

type JournalSource = Pick<KernelRuntime, 'evidence' | 'listApprovals'>;

export async function readCallJournal(runtime: JournalSource, taskId: string): Promise<CallJournal> {
  const journal = createCallJournal();
  const {receipts} = await runtime.evidence.readTracesByTaskId(taskId);
  for (const receipt of receipts.toReversed()) {
    const {parent_receipt_id, execution_metadata} = receipt.started;
    const step = execution_metadata?.[stepKey];
    // Calls that the step's tool makes have its metadata, too.
    if (typeof step !== 'string' || parent_receipt_id !== undefined) continue;
    const attempt = attemptOfReceipt(receipt);
    journal.add(step, attempt.end === 'waits' ? {...attempt, request_id: requestFor(runtime, receipt)} : attempt);
  }
  return journal;
}

/** The request that a call made when policy required an approval. */
function requestFor({listApprovals}: JournalSource, {started}: Receipt): string | undefined {
  const asked = listApprovals({task_id: started.task_id}).findLast(
    ({subject}) =>
      subject.kind === 'call' && subject.tool_name === started.tool_name && subject.input_hash === started.input_hash,
  );
  return asked?.request_id;
}

function createCallJournal(): CallJournal {
  const bySteps = new Map<string, CallAttempt[]>();
  let size = 0;
  return {
    attempts: (step) => bySteps.get(step) ?? [],
    add(step, attempt) {
      bySteps.set(step, [...(bySteps.get(step) ?? []), attempt]);
      size += 1;
    },
    beganAt(step) {
      const times = Array.from(bySteps, ([each, [first]]) => (isAtOrBelow(each, step) ? first?.started_at : undefined));
      const known = times.filter((time) => time !== undefined);
      return known.length === 0 ? undefined : Math.min(...known);
    },
    get size() {
      return size;
    },
  };
}

function isAtOrBelow(step: string, above: string): boolean {
  return step === above || step.startsWith(`${above}/`) || step.startsWith(`${above}[`);
}
