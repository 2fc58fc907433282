// The workflow of a run: attempts, until it is over, and waits in between. It runs in the SDK's isolate, again for each replay, so it
// uses nothing else. What the run has done is in the kernel's log, so a repeated attempt repeats no recorded call.
import type {RunProgress} from '@lumenflow/kernel/adapters';
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  TimeoutFailure,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {answeredSignal, type RunInput, type RunMemo} from './run-messages.ts';

const hour = 3_600_000;
/** No run continues for longer without a stop; the server would end the attempt. */
const attemptMs = 2 * hour;
/** A run whose task was cancelled by a person gets no signal: its records are read at this interval. */
const lookMs = 6 * hour;

/** Fails if the run is to be parked. */
export async function runWorkflow({run_id, retry, waits = 0, laters = 0}: RunInput): Promise<void> {
  let answered = 0;
  setHandler(defineSignal<[number]>(answeredSignal), (wait) => {
    answered = Math.max(answered, wait);
  });
  for (let wait = waits, delays = laters; ;) {
    const progress = await attempt(run_id, retry);
    if (progress.state === 'over') return;
    if (progress.state === 'waiting') {
      wait += 1;
      delays = 0;
      remember({wait: {number: wait, requests: progress.waits_for}});
      await condition(() => answered >= wait, lookMs);
      remember({wait: null});
    } else {
      await sleep(delayOf((delays += 1), retry));
    }
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof runWorkflow>({run_id, retry, waits: wait, laters: delays});
  }
}

function remember(memo: RunMemo): void {
  upsertMemo({...memo});
}

async function attempt(run_id: string, retry: RunInput['retry']): Promise<RunProgress> {
  const {advance} = proxyActivities<{advance(run_id: string): Promise<RunProgress>}>({
    startToCloseTimeout: attemptMs,
    heartbeatTimeout: retry.heartbeatMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: {
      initialInterval: retry.firstMs,
      maximumInterval: retry.mostMs,
      backoffCoefficient: 2,
      maximumAttempts: retry.attemptsMax,
    },
  });
  try {
    return await advance(run_id);
  } catch (error) {
    throw isCancellation(error) ? error : ApplicationFailure.nonRetryable(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) return 'workers ended, or did not report, during the attempts';
  return cause instanceof Error ? cause.message : String(cause);
}

function delayOf(tries: number, {firstMs, mostMs}: RunInput['retry']): number {
  return Math.min(mostMs, firstMs * 2 ** Math.min(tries - 1, 20));
}
