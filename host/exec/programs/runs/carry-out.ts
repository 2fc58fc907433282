// Carries out a run from where its records end, and ends its task with it. A run that stops keeps its task: any process resumes it.
import {cutText} from '@lumenflow/kernel';
import type {TransitionResult} from '@lumenflow/kernel';
import type {ProgramLimits, ProgramRun, ProgramSource, ProgramStepRecord} from '@lumenflow/schemas';
import type {Session} from '../../../sessions/open-session.ts';
import type {ProgramDocument} from '../document/read-program.ts';
import {programLimits} from '../interpreter/program-limits.ts';
import {endedAt} from '../interpreter/step-end.ts';
import {readCallJournal} from './call-journal.ts';
import type {Executed} from '../interpreter/execute-document.ts';
import {executeProgram} from './execute-program.ts';
import {makeLiveCall} from './make-live-call.ts';
import type {ProgramHost} from './program-host.ts';
import type {Asked, ProgramQuestion} from './program-run-context.ts';
import {runRecord} from './run-record.ts';
import {waitingReason} from './waiting-run.ts';
import {wholeApproval, type WholeApproval} from './whole-approval.ts';

export interface ProgramRunOptions {
  /** Stops the run, which can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /** Lowers the limits of the program. */
  readonly limits?: ProgramLimits | undefined;
  /** Called when a step begins and when it ends. */
  on_step?: ((record: ProgramStepRecord) => void) | undefined;
  on_progress?: ((payload: unknown, step: string) => void) | undefined;
}

export interface OpenRun {
  readonly session: Session;
  readonly source: ProgramSource;
  readonly document: ProgramDocument;
}

export async function carryOut(host: ProgramHost, run: OpenRun, options: ProgramRunOptions): Promise<ProgramRun> {
  const {session, source, document} = run;
  const identity = {run_id: session.session_id, name: document.program.name, source};
  const approved = source.approved_as_whole === true ? await askForWhole(host, run) : undefined;
  const record = runRecord(identity, approved?.stopped ?? (await execute(host, run, options, approved?.request_id)));
  return await endTask(host, session, record);
}

async function execute(
  {runtime}: ProgramHost,
  {session, source, document}: OpenRun,
  options: ProgramRunOptions,
  program_approval: string | undefined,
): Promise<Executed> {
  const {session_id: task_id} = session;
  const {by, person, surface} = source;
  const {signal = new AbortController().signal, on_step, on_progress} = options;
  const limits = programLimits(document.program.limits, source.limits, options.limits);
  const journal = await readCallJournal(runtime, task_id);
  const {run_id} = session;
  const context = {task_id, run_id, session_id: task_id, by, person, surface, program_approval};
  const over = AbortSignal.timeout(limits.wall_time_ms);
  const make = makeLiveCall({runtime, context, journal, limits, signal: AbortSignal.any([signal, over]), on_progress});
  const ask = (question: ProgramQuestion): Promise<Asked> => askPerson(runtime, session, question);
  return await executeProgram(
    {runtime, task_id, journal, now: Date.now, ask, make},
    {document, inputs: source.inputs, limits, signal, over, onStep: (record) => on_step?.(record)},
  );
}

async function askPerson(
  runtime: ProgramHost['runtime'],
  {session_id, by}: Session,
  question: ProgramQuestion & Partial<WholeApproval>,
): Promise<Asked> {
  const asked = await runtime.requestApproval({task_id: session_id, session_id, by, ...question});
  if (!asked.success) return {answer: 'pending', error: asked.error};
  return {answer: asked.data.answer, request_id: asked.data.approval.request_id};
}

interface AskedForWhole {
  readonly request_id?: string | undefined;
  readonly stopped?: Executed;
}

async function askForWhole({runtime}: ProgramHost, {session, source, document}: OpenRun): Promise<AskedForWhole> {
  const whole = wholeApproval(runtime.workspace, document, source);
  const {answer, request_id, error} = await askPerson(runtime, session, whole);
  if (error) return {stopped: {end: {...endedAt('', error), state: 'interrupted'}, steps: []}};
  if (answer === 'approved') return {request_id};
  const approvals = request_id === undefined ? [] : [request_id];
  if (answer === 'pending') return {stopped: {end: {type: 'stopped', state: 'waiting', approvals}, steps: []}};
  const message = `a person rejected the program: request \`${request_id ?? ''}\``;
  return {stopped: {end: endedAt('', {code: 'POLICY_DENIED', message}), steps: []}};
}

async function endTask({runtime}: ProgramHost, session: Session, record: ProgramRun): Promise<ProgramRun> {
  const {session_id: task_id, by} = session;
  if (record.state === 'succeeded') return await waits(runtime, afterCompletion(record, await session.complete()));
  if (record.state !== 'failed') return await waits(runtime, record);
  const reason = cutText(`${record.error?.code ?? ''}: ${record.error?.message ?? ''}`, 500);
  const released = await session.release(reason);
  if (released.success) await runtime.cancelTask({task_id, by, reason});
  return record;
}

/** A run that waits is blocked; one whose task was changed in the meantime is interrupted. */
async function waits(runtime: ProgramHost['runtime'], record: ProgramRun): Promise<ProgramRun> {
  const {run_id, state, approvals = []} = record;
  if (state !== 'waiting' && state !== 'ambiguous') return record;
  const blocked = await runtime.blockTask({task_id: run_id, session_id: run_id, reason: waitingReason(approvals)});
  return blocked.success ? record : {...record, state: 'interrupted', error: blocked.error};
}

/** Policy decides about the completion of a task: the run waits with it. */
function afterCompletion(record: ProgramRun, completed: TransitionResult<unknown>): ProgramRun {
  if (completed.success) return record;
  const {code, message, details} = completed.error;
  const request = details?.['request_id'];
  const error = {code, message, ...(details && {details})};
  if (code !== 'APPROVAL_REQUIRED') return {...record, state: 'interrupted', error};
  return {...record, state: 'waiting', approvals: [String(request)], error};
}
