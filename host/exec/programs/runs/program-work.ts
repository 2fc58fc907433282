// Programs as the work of an engine: it decides when a run is continued, and the records of the run decide what that means.
import type {EngineWork, RunProgress} from '@lumenflow/kernel/adapters';
import type {ProgramRun, ToolFailure} from '@lumenflow/schemas';
import type {ProgramHost} from './program-host.ts';
import {continueRun} from './continue-run.ts';
import {findRun} from './find-run.ts';
import {ProgramRunError} from './program-run-error.ts';
import {isWaiting} from './waiting-run.ts';

export function programWork(host: ProgramHost): EngineWork {
  const {runtime} = host;
  const requestsOf = (task_id: string): readonly string[] =>
    runtime.listApprovals({task_id}).map(({request_id}) => request_id);

  return {
    async advance(run_id, signal) {
      await runtime.refresh();
      const found = await findRun(runtime, run_id);
      if (!found.ok) throw new ProgramRunError(found.problem);
      if (found.value.isOver) return {state: 'over'};
      const request = {by: found.value.source.by, session_id: run_id, task_id: run_id};
      const run = await continueRun(host, request, found.value, {signal});
      return run.ok ? progressOf(run.value, signal) : progressAfter(run.problem);
    },
    async read(run_id) {
      await runtime.refresh();
      const task = runtime.listTasks().find(({task_id}) => task_id === run_id);
      if (task === undefined) return undefined;
      if (task.state === 'done' || task.state === 'cancelled') return {state: 'over'};
      if (isWaiting(task)) return {state: 'waiting', waits_for: requestsOf(run_id)};
      return {state: 'later', reason: `the task of the run is ${task.state}`};
    },
  };
}

function progressOf({state, approvals = [], error}: ProgramRun, signal: AbortSignal): RunProgress {
  if (state === 'succeeded' || state === 'failed') return {state: 'over'};
  if (state === 'waiting' || state === 'ambiguous') return {state: 'waiting', waits_for: approvals};
  const failure = error ?? {code: 'TOOL_CANCELLED', message: 'the run was interrupted'};
  if (signal.aborted) return {state: 'later', reason: failure.message};
  // A person released or blocked the task, and resumes the run.
  if (failure.code === 'TASK_NOT_ACTIVE') return {state: 'over'};
  throw new ProgramRunError(failure);
}

/** What others do, and what ends by itself. */
const passing: ReadonlySet<string> = new Set(['SESSION_BUSY', 'WIP_LIMIT_REACHED', 'EVIDENCE_UNAVAILABLE']);

function progressAfter({code, message, details}: ToolFailure): RunProgress {
  const request = details?.['request_id'];
  if (code === 'APPROVAL_REQUIRED' && typeof request === 'string') return {state: 'waiting', waits_for: [request]};
  if (passing.has(code)) return {state: 'later', reason: message};
  throw new ProgramRunError({code, message, ...(details && {details})});
}
