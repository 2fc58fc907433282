// Continues a run in this process, which then is the only one that does so.
import {failed, ok, type KernelRuntime, type Outcome} from '@lumenflow/kernel';
import type {ProgramRun, ToolFailure} from '@lumenflow/schemas';
import {openSession, type SessionRequest} from '../../../sessions/open-session.ts';
import {runExclusively} from '../../../sessions/run-exclusively.ts';
import {carryOut, type ProgramRunOptions} from './carry-out.ts';
import {lockFolder, type FoundRun} from './find-run.ts';
import type {ProgramHost} from './program-host.ts';
import {isWaiting} from './waiting-run.ts';

/** With a task in the request, the run is started: its task is created and claimed. */
export async function continueRun(
  host: ProgramHost,
  request: SessionRequest & {readonly session_id: string},
  run: Pick<FoundRun, 'source' | 'document'>,
  options: ProgramRunOptions,
): Promise<Outcome<ProgramRun, ToolFailure>> {
  const {session_id: run_id} = request;
  return await runExclusively<Outcome<ProgramRun, ToolFailure>>({
    folder: lockFolder(host.workspaceRoot, run_id),
    timeoutMs: 2_000,
    async run() {
      await endWait(host.runtime, run_id);
      const session = await openSession(host.runtime, request);
      if (session.success) return ok(await carryOut(host, {session, ...run}, options));
      return failed(await notOpened(host.runtime, request, session.error));
    },
    busy: () => failed({code: 'SESSION_BUSY', message: `\`${run_id}\` runs already: retry later`, details: {run_id}}),
  });
}

async function endWait(runtime: KernelRuntime, run_id: string): Promise<void> {
  const waiting = runtime.listTasks({state: 'blocked'}).some((task) => task.task_id === run_id && isWaiting(task));
  // If it fails, the task has just ended or was released, and opening the session reports this.
  if (waiting) await runtime.unblockTask({task_id: run_id, session_id: run_id});
}

/** A run whose task could not be claimed is over, unless its claim waits for a person. */
async function notOpened(
  runtime: KernelRuntime,
  {session_id: run_id, by, task_id}: SessionRequest & {readonly session_id: string},
  {code, message, details}: ToolFailure,
): Promise<ToolFailure> {
  if (task_id === undefined && code !== 'APPROVAL_REQUIRED')
    await runtime.cancelTask({task_id: run_id, by, reason: message});
  return {code, message, details: {...details, run_id}};
}
