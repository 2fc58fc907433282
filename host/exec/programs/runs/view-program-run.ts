// The record of a run, from its task and its evidence: the program is executed once more, with the outcomes that were recorded and
// without any call.
import {ok, type Outcome} from '@lumenflow/kernel';
import type {ProgramRun, ToolFailure} from '@lumenflow/schemas';
import {runExclusively} from '../../../sessions/run-exclusively.ts';
import {programLimits} from '../interpreter/program-limits.ts';
import {readCallJournal} from './call-journal.ts';
import {executeProgram, type Executed} from './execute-program.ts';
import {findQuestion} from './find-question.ts';
import type {ProgramHost} from './program-host.ts';
import type {Asked, ProgramQuestion} from './program-run-context.ts';
import {findRun, lockFolder, type FoundRun} from './run-program.ts';
import {runRecord} from './run-record.ts';
import {wholeApproval} from './whole-approval.ts';

/** Fails with TASK_NOT_FOUND. */
export async function viewProgramRun(host: ProgramHost, run_id: string): Promise<Outcome<ProgramRun, ToolFailure>> {
  const found = await findRun(host.runtime, run_id);
  if (!found.ok) return found;
  const {source, document, isOver, cancelled_reason} = found.value;
  const record = runRecord({run_id, name: document.program.name, source}, await replay(host, run_id, found.value));
  if (cancelled_reason !== undefined) {
    const error = record.error ?? {code: 'TOOL_CANCELLED', message: cancelled_reason};
    return ok({...record, state: 'failed', value: null, error});
  }
  if (isOver || record.state === 'waiting' || record.state === 'ambiguous') return ok(record);
  const state = await runExclusively<ProgramRun['state']>({
    folder: lockFolder(host, run_id),
    timeoutMs: 0,
    run: () => Promise.resolve('interrupted'),
    busy: () => 'running',
  });
  return ok({...record, state});
}

const never = new AbortController().signal;

async function replay({runtime}: ProgramHost, task_id: string, {source, document}: FoundRun): Promise<Executed> {
  const ask = ({shown}: ProgramQuestion): Promise<Asked> => {
    const {state, request_id} = findQuestion(runtime, task_id, shown) ?? {};
    if (state === 'used' || state === 'approved') return Promise.resolve({answer: 'approved', request_id});
    return Promise.resolve({answer: state === 'rejected' ? 'rejected' : 'pending', request_id});
  };
  const journal = await readCallJournal(runtime, task_id);
  if (source.approved_as_whole === true) {
    const {answer, request_id} = await ask(wholeApproval(runtime.workspace, document, source));
    // The tools may have changed since they were called.
    if (answer === 'pending' && request_id !== undefined) {
      return {end: {type: 'stopped', state: 'waiting', approvals: [request_id]}, steps: []};
    }
  }
  return await executeProgram(
    {runtime, task_id, journal, now: Date.now, ask, make: undefined},
    {
      document,
      inputs: source.inputs,
      limits: programLimits(document.program.limits, source.limits),
      signal: never,
      over: never,
      onStep: () => undefined,
    },
  );
}
