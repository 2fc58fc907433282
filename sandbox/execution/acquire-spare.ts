// Takes a spare that was started for calls like the current one.
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import type {TransactionView} from '../backends/transaction-view.ts';
import type {RunnerWithResources} from '../warm-pool/spare.ts';
import {spareKey, type HostUser, type SpareKey} from '../warm-pool/spare-key.ts';
import type {LastingTurn} from '../lasting/create-lasting-runners.ts';
import type {ExecutorContext} from './executor-context.ts';
import type {AcquiredRunner} from './acquired-runner.ts';

/** Undefined for a call that needs its own sandbox. */
export function keyForCall(
  request: SandboxRequest,
  {pool, backend}: Pick<ExecutorContext, 'pool' | 'backend'>,
): SpareKey | undefined {
  // A copy made before its call would be out of date.
  if (request.transaction !== undefined && backend.capabilities.viewWay === 'copied') return undefined;
  return pool && spareKey(request, currentUser());
}

/** A host may drop its privileges while it runs; what it started before still has them. */
export function currentUser(): HostUser {
  return {uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0};
}

/** The sandbox that earlier calls of the same program left. */
export function keptBy({spare}: LastingTurn): AcquiredRunner | undefined {
  return spare && {runner: spare.runner, start: 'reused', served: spare.served, earlierCpuMs: spare.cpuMs};
}

/** Undefined if there is none, or if its view cannot be handed over. */
export async function acquireSpare(
  key: SpareKey | undefined,
  {transaction}: Pick<SandboxRequest, 'transaction'>,
  {pool}: Pick<ExecutorContext, 'pool'>,
): Promise<AcquiredRunner | undefined> {
  const spare = key && pool?.acquire(key);
  if (spare === undefined) return undefined;
  const {runner, served, cpuMs} = spare;
  if (transaction !== undefined && !(await handOverView(runner, transaction))) {
    runner.kill();
    return undefined;
  }
  return {runner, start: served === 0 ? 'warm' : 'reused', served, earlierCpuMs: cpuMs};
}

async function handOverView(runner: RunnerWithResources, transaction: TransactionView): Promise<boolean> {
  if (runner.view === undefined) return false;
  try {
    await transaction.adopt(runner.view);
    runner.releaseView();
    return true;
  } catch {
    // A new view is opened for the call. It reports the problem if that view has it too.
    return false;
  }
}
