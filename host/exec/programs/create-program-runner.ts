// Programs for one session: each runs in a separate task, in the session's lane and by the session's principal.
import {failed, type KernelRuntime, type LaneContext, type Outcome} from '@lumenflow/kernel';
import type {Program, ProgramCheck, ProgramRun, ToolFailure} from '@lumenflow/schemas';
import type {Session} from '../../sessions/open-session.ts';
import {checkProgram} from './checks/check-program.ts';
import type {ProgramText} from './document/read-program.ts';
import type {ProgramRunOptions} from './runs/carry-out.ts';
import {resumeProgram, runProgram, type ProgramRequest} from './runs/run-program.ts';

export interface SessionProgram extends Pick<ProgramRequest, 'program' | 'inputs' | 'approved_as_whole'> {}

export interface ProgramRunner {
  checkProgram(program: ProgramText | Program): Promise<ProgramCheck>;
  /** Runs a program until it ends or waits. A session in a task that limits its calls cannot: the program would not be limited. */
  runProgram(request: SessionProgram, options?: ProgramRunOptions): Promise<Outcome<ProgramRun, ToolFailure>>;
  /** Continues a run that the session's principal started. */
  resumeProgram(run_id: string, options?: ProgramRunOptions): Promise<Outcome<ProgramRun, ToolFailure>>;
}

export interface ProgramRunnerSource {
  readonly runtime: KernelRuntime;
  readonly workspaceRoot?: string | undefined;
  readonly session: Partial<Pick<Session, 'by' | 'person' | 'session_id' | 'task_id' | 'surface'>>;
}

export function createProgramRunner(source: ProgramRunnerSource): ProgramRunner {
  const {runtime, workspaceRoot, session} = source;
  return {
    checkProgram: async (program) => (await checkProgram(runtime, program, laneOf(source))).check,
    async runProgram(request, options) {
      // Without a surface, its calls are not those of a person.
      const {by, person, session_id: from_session, task_id, surface = 'agent'} = session;
      if (workspaceRoot === undefined || by === undefined) return failed(unable);
      const limited = task_id === undefined ? undefined : await limitingTask(runtime, task_id);
      if (limited) return failed(limited);
      return await runProgram(
        {runtime, workspaceRoot},
        {...request, by, person, surface, from_session, lane: laneOf(source).lane_id},
        options,
      );
    },
    async resumeProgram(run_id, options) {
      const {by, session_id, task_id} = session;
      if (workspaceRoot === undefined || by === undefined) return failed(unable);
      const run = await resumeProgram({runtime, workspaceRoot}, {run_id, by}, options);
      if (session_id === undefined) return run;
      // Also of a run that another session started: this one is given what it returned.
      const inherited = await runtime.inheritTaint({from_session: run_id, session_id, task_id, by});
      return inherited.success ? run : failed(inherited.error);
    },
  };
}

const unable: ToolFailure = {
  code: 'TASK_NOT_ACTIVE',
  message: 'programs need a session and the folder of the workspace',
};

function laneOf({runtime, session}: ProgramRunnerSource): LaneContext {
  const found = runtime.listTasks().find(({task_id}) => task_id === session.task_id);
  return {lane_id: found?.lane_id ?? runtime.workspace.spec.lanes[0].id};
}

/** Why a session in this task cannot start a program. */
async function limitingTask(runtime: KernelRuntime, task_id: string): Promise<ToolFailure | undefined> {
  const task = await runtime.inspectTask(task_id);
  if (!task.success) return task.error;
  const {type, declared_scopes, policies} = task.data.spec;
  if (type === undefined && declared_scopes === undefined && policies === undefined) return undefined;
  const message = `task \`${task_id}\` limits the calls of its session, and a program runs in a separate task: call the tools, or use a session without a task`;
  return {code: 'SCOPE_DENIED', message, details: {task_id}};
}
