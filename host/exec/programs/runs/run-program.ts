// Starts and resumes programs. A run is a task, which has the program and its inputs, so any process can continue it.
import {failed, ok, type KernelRuntime, type Outcome, type Surface} from '@lumenflow/kernel';
import type {Program, ProgramRun, ProgramSource, ToolFailure} from '@lumenflow/schemas';
import {join} from 'node:path';
import {openSession, type SessionRequest} from '../../../sessions/open-session.ts';
import {runExclusively} from '../../../sessions/run-exclusively.ts';
import {checkProgram} from '../checks/check-program.ts';
import {readInputs} from '../checks/check-inputs.ts';
import {readProgram, type ProgramDocument, type ProgramText} from '../document/read-program.ts';
import {carryOut, type ProgramRunOptions} from './carry-out.ts';
import {limitsProblem} from '../interpreter/limits-problem.ts';
import type {ProgramHost} from './program-host.ts';
import {newRunId} from './run-id.ts';

export interface ProgramRequest {
  /** Its text, or the program as an object. */
  readonly program: ProgramText | Program;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  /** The identity of the caller. */
  readonly by: string;
  /** Default the workspace's first lane. */
  readonly lane?: string | undefined;
  /** The surface of its calls, for the record; default `api`. */
  readonly surface?: Surface | undefined;
  /** A person approves the program before its first call. Its calls then need no further approval. */
  readonly approved_as_whole?: boolean | undefined;
}

export interface ResumeRequest {
  readonly run_id: string;
  readonly by: string;
  readonly surface?: Surface | undefined;
}

type Run = Outcome<ProgramRun, ToolFailure>;

/** Checks the whole program first. Fails if it could not be started; the failure of a run is part of its record. */
export async function runProgram(
  host: ProgramHost,
  {program, inputs: given = {}, by, lane, surface, approved_as_whole}: ProgramRequest,
  options: ProgramRunOptions = {},
): Promise<Run> {
  const {runtime} = host;
  const lane_id = lane ?? runtime.workspace.spec.lanes[0].id;
  const {document} = await checkProgram(runtime, program, {lane_id, surface: surface ?? 'api'});
  if (!document.ok)
    return failed(
      notStarted(
        document.problem.map(({where, message}) => `${where}: ${message}`),
        document.problem,
      ),
    );
  const inputs = readInputs(document.value.program, given);
  if (!inputs.ok) return failed(notStarted([inputs.problem]));
  const {file, text} = document.value;
  const {limits} = options;
  const wrong = limitsProblem(limits);
  if (wrong !== undefined) return failed(notStarted([wrong]));
  const whole = approved_as_whole === true && {approved_as_whole};
  const source: ProgramSource = {file, text, inputs: inputs.value, ...(limits && {limits}), ...whole};
  const session_id = newRunId();
  const task = {title: `Program ${document.value.program.name}`, program: source};
  const request = {by, surface, session_id, lane: lane_id, outlives_process: true, task};
  return await inSession(host, request, {source, document: document.value}, options);
}

/** Continues a run after the last step that has ended. */
export async function resumeProgram(
  host: ProgramHost,
  {run_id, by, surface}: ResumeRequest,
  options: ProgramRunOptions = {},
): Promise<Run> {
  const wrong = limitsProblem(options.limits);
  if (wrong !== undefined) return failed({code: 'INVALID_INPUT', message: `the run was not resumed: ${wrong}`});
  const found = await findRun(host.runtime, run_id);
  if (!found.ok) return found;
  if (found.value.isOver) {
    return failed({
      code: 'TASK_NOT_ACTIVE',
      message: `the run \`${run_id}\` is over: run the program again`,
      details: {run_id},
    });
  }
  return await inSession(host, {by, surface, session_id: run_id, task_id: run_id}, found.value, options);
}

export interface FoundRun {
  readonly source: ProgramSource;
  readonly document: ProgramDocument;
  readonly isOver: boolean;
  readonly cancelled_reason?: string | undefined;
}

/** Fails if there is no such task, or if it runs no program. */
export async function findRun(runtime: KernelRuntime, run_id: string): Promise<Outcome<FoundRun, ToolFailure>> {
  const task = await runtime.inspectTask(run_id);
  if (!task.success) return failed(task.error);
  const {spec, state, cancelled_reason} = task.data;
  const {program: source} = spec;
  const message = `task \`${run_id}\` does not run a program`;
  const document = source && readProgram(source);
  if (source === undefined || document?.ok !== true)
    return failed({code: 'TASK_NOT_FOUND', message, details: {run_id}});
  return ok({source, document: document.value, isOver: state === 'done' || state === 'cancelled', cancelled_reason});
}

async function inSession(
  host: ProgramHost,
  request: SessionRequest & {readonly session_id: string},
  run: Pick<FoundRun, 'source' | 'document'>,
  options: ProgramRunOptions,
): Promise<Run> {
  const {session_id: run_id} = request;
  return await runExclusively<Run>({
    folder: lockFolder(host.workspaceRoot, run_id),
    timeoutMs: 2_000,
    async run() {
      const session = await openSession(host.runtime, request);
      if (session.success) return ok(await carryOut(host, {session, ...run}, options));
      return failed(await notOpened(host.runtime, request, session.error));
    },
    busy: () => failed({code: 'SESSION_BUSY', message: `another process is running \`${run_id}\``, details: {run_id}}),
  });
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

export function lockFolder(workspaceRoot: string, run_id: string): string {
  return join(workspaceRoot, '.lumenflow', 'programs', run_id);
}

function notStarted(lines: readonly string[], problems?: readonly object[]): ToolFailure {
  const message = `the program was not started: ${lines.join('; ')}`;
  return {code: 'INVALID_INPUT', message, ...(problems && {details: {problems: [...problems]}})};
}
