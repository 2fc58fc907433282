// The record of a run, from its task and its evidence: the program is executed once more, with the outcomes that were recorded and
// without any call.
import {ok, type Outcome} from '@lumenflow/kernel';
import type {Program, ProgramRun, ToolFailure} from '@lumenflow/schemas';
import {runExclusively} from '../../../sessions/run-exclusively.ts';
import {programLimits} from '../interpreter/program-limits.ts';
import {readCallJournal} from './call-journal.ts';
import type {Executed} from '../interpreter/execute-document.ts';
import {executeProgram} from './execute-program.ts';
import {findQuestion} from './find-question.ts';
import type {ProgramReader} from './program-host.ts';
import type {Asked, ProgramQuestion} from './program-run-context.ts';
import {findRun, lockFolder, type FoundRun} from './find-run.ts';
import {runRecord} from './run-record.ts';
import {wholeApproval} from './whole-approval.ts';

export interface ViewedProgram {
  readonly program: Program;
  readonly run: ProgramRun;
}

/** Fails with TASK_NOT_FOUND. */
export async function viewProgramRun(host: ProgramReader, run_id: string): Promise<Outcome<ProgramRun, ToolFailure>> {
  const viewed = await viewProgram(host, run_id);
  return viewed.ok ? ok(viewed.value.run) : viewed;
}

/** The record with its program. */
export async function viewProgram(host: ProgramReader, run_id: string): Promise<Outcome<ViewedProgram, ToolFailure>> {
  const found = await findRun(host.runtime, run_id);
  if (!found.ok) return found;
  const {program} = found.value.document;
  return ok({program, run: await recordOf(host, run_id, found.value)});
}

async function recordOf(host: ProgramReader, run_id: string, found: FoundRun): Promise<ProgramRun> {
  const {source, document, isOver, cancelled_reason} = found;
  const record = runRecord({run_id, name: document.program.name, source}, await replay(host, run_id, found));
  if (cancelled_reason !== undefined) return endedEarly(record, cancelled_reason);
  if (isOver) return completed(record);
  if (record.state === 'waiting' || record.state === 'ambiguous') return record;
  const approvals = requestsOfTask(host, run_id);
  if (approvals.length > 0) return {...record, state: 'waiting', approvals};
  return {...record, state: (await isRunning(host, run_id)) ? 'running' : 'interrupted'};
}

/** Before its first step, a run can wait for its claim; after its last one, for its completion. */
function requestsOfTask({runtime}: ProgramReader, task_id: string): string[] {
  const requests = runtime.listApprovals({task_id, state: 'pending'});
  return requests
    .filter(({subject: {kind}}) => kind === 'claim' || kind === 'completion')
    .map(({request_id}) => request_id);
}

/** The outcome of a run survives its contents, which can be redacted. */
function completed(record: ProgramRun): ProgramRun {
  if (record.state === 'succeeded') return record;
  if (record.error?.code === 'EVIDENCE_UNAVAILABLE') return {...record, state: 'succeeded'};
  return endedEarly(record, 'the task of the run was completed before the program ended');
}

function endedEarly({approvals: _approvals, ...record}: ProgramRun, message: string): ProgramRun {
  return {...record, state: 'failed', value: null, error: record.error ?? {code: 'TOOL_CANCELLED', message}};
}

async function isRunning({workspaceRoot}: ProgramReader, run_id: string): Promise<boolean> {
  if (workspaceRoot === undefined) return false;
  return await runExclusively({
    folder: lockFolder(workspaceRoot, run_id),
    timeoutMs: 0,
    run: () => Promise.resolve(false),
    busy: () => true,
  });
}

const never = new AbortController().signal;

async function replay(
  {runtime}: ProgramReader,
  task_id: string,
  {source, document, isOver}: FoundRun,
): Promise<Executed> {
  const ask = ({shown}: ProgramQuestion): Promise<Asked> => {
    const {state, request_id} = findQuestion(runtime, {task_id, isOver}, shown) ?? {};
    if (state === undefined) return Promise.resolve({answer: 'unasked'});
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
