// Starts and resumes programs. A run is a task, which has the program and its inputs, so any process can continue it.
import {failed, type Outcome, type Surface} from '@lumenflow/kernel';
import type {Person, Program, ProgramRun, ProgramSource, ToolFailure} from '@lumenflow/schemas';
import {openEngine} from '../../../engine/open-engine.ts';
import {checkProgram} from '../checks/check-program.ts';
import {readInputs} from '../checks/check-inputs.ts';
import type {ProgramText} from '../document/read-program.ts';
import type {ProgramRunOptions} from './carry-out.ts';
import {continueRun} from './continue-run.ts';
import {limitsProblem} from '../interpreter/limits-problem.ts';
import {findRun} from './find-run.ts';
import type {ProgramHost} from './program-host.ts';
import {newRunId} from './run-id.ts';
import {runOnEngine} from './run-on-engine.ts';
import {viewProgramRun} from './view-program-run.ts';

export interface ProgramRequest {
  /** Its text, or the program as an object. */
  readonly program: ProgramText | Program;
  readonly inputs?: Readonly<Record<string, unknown>> | undefined;
  /** The identity of the caller. */
  readonly by: string;
  /** The identity of `by`, for a person that signed in. */
  readonly person?: Person | undefined;
  /** Default the workspace's first lane. */
  readonly lane?: string | undefined;
  /** Where the request came in, which decides what its calls can do; default `api`. */
  readonly surface?: Surface | undefined;
  /** The session that reads what the program returns. */
  readonly from_session?: string | undefined;
  /** A person approves the program before its first call. Its calls then need no further approval. */
  readonly approved_as_whole?: boolean | undefined;
}

export interface ResumeRequest {
  readonly run_id: string;
  /** The identity that started the run, unless an operator resumes it. Its calls keep that identity. */
  readonly by: string;
  readonly is_operator?: boolean | undefined;
}

type Run = Outcome<ProgramRun, ToolFailure>;

/** Checks the whole program first. Fails if it could not be started; the failure of a run is part of its record. */
export async function runProgram(
  host: ProgramHost,
  {program, inputs: given = {}, by, person, lane, surface = 'api', from_session, approved_as_whole}: ProgramRequest,
  options: ProgramRunOptions = {},
): Promise<Run> {
  const {runtime} = host;
  const lane_id = lane ?? runtime.workspace.spec.lanes[0].id;
  const {document} = await checkProgram(runtime, program, {lane_id, surface});
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
  const optional = {
    ...(person && {person}),
    ...(from_session !== undefined && {from_session}),
    ...(limits && {limits}),
    ...whole,
  };
  const source: ProgramSource = {by, surface, file, text, inputs: inputs.value, ...optional};
  const session_id = newRunId();
  const task = {title: `Program ${document.value.program.name}`, program: source};
  const engine = await openEngine(host);
  if (engine) {
    const created = await runtime.createTask({...task, id: session_id, lane_id}, {by, person});
    if (!created.success) return failed(created.error);
    return await runOnEngine(engine, host, {run_id: session_id, signal: options.signal});
  }
  const request = {by, person, session_id, lane: lane_id, outlives_process: true, task};
  return await continueRun(host, request, {source, document: document.value}, options);
}

/** Continues a run after the last step that has ended. A run that is over is returned as it is. */
export async function resumeProgram(
  host: ProgramHost,
  {run_id, by, is_operator = false}: ResumeRequest,
  options: ProgramRunOptions = {},
): Promise<Run> {
  const wrong = limitsProblem(options.limits);
  if (wrong !== undefined) return failed({code: 'INVALID_INPUT', message: `the run was not resumed: ${wrong}`});
  const found = await findRun(host.runtime, run_id);
  if (!found.ok) return found;
  const {isOver, source} = found.value;
  if (by !== source.by && !is_operator) {
    const message = `\`${source.by}\` started the run \`${run_id}\`: it is resumed under that name, or by an operator`;
    return failed({code: 'SESSION_DENIED', message, details: {run_id, by: source.by}});
  }
  if (isOver) return await viewProgramRun(host, run_id);
  const engine = await openEngine(host);
  if (engine && options.limits) return failed({code: 'INVALID_INPUT', message: notLowered(engine.name)});
  if (engine) return await runOnEngine(engine, host, {run_id, signal: options.signal});
  return await continueRun(host, {by: source.by, session_id: run_id, task_id: run_id}, found.value, options);
}

function notStarted(lines: readonly string[], problems?: readonly object[]): ToolFailure {
  const message = `the program was not started: ${lines.join('; ')}`;
  return {code: 'INVALID_INPUT', message, ...(problems && {details: {problems: [...problems]}})};
}

function notLowered(engine: string): string {
  return `the run was not resumed: ${engine} advances it with the limits of its start, so omit \`limits\``;
}
