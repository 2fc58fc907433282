// Programs: checked, run and resumed; and the records of their runs.
import {failed, type Outcome} from '@lumenflow/kernel';
import type {Program, ProgramLimits, ProgramRun, ToolFailure} from '@lumenflow/schemas';
import {
  checkProgram,
  listProgramRuns,
  resumeProgram,
  runProgram,
  viewProgram,
  type ProgramText,
  type ViewedProgram,
} from '../../exec/index.ts';
import {statusOfStart} from '../error-status.ts';
import {okReply, refuse, requestOf, type Reply} from '../reply.ts';
import {hasRole, type HttpHost, type Route, type RouteCall, type RouteOf} from '../route.ts';
import {askedLane} from './asked-lane.ts';
import {sessionRefusals} from './sessions.ts';

const program = {anyOf: [{type: 'string', maxLength: 1024 * 1024}, {type: 'object'}]};
const lane = {type: 'string', maxLength: 128};
const runShape = 'program.schema.json#/$defs/program_run';
const visibleRefusals = ['TASK_NOT_FOUND', 'TASK_SPEC_CHANGED', 'SESSION_DENIED'] as const;

export function createProgramRoutes({workspaceRoot}: HttpHost): readonly Route[] {
  return [
    listRoute,
    viewRoute,
    programRoute,
    checkRoute,
    ...(workspaceRoot === undefined ? [] : [runRoute, resumeRoute].map((make) => make(workspaceRoot))),
  ];
}

const listRoute: Route = {
  method: 'GET',
  path: '/v1/programs',
  summary: 'Lists the newest runs of programs: those that the caller started, or for an operator all',
  role: 'agent',
  answers: {200: 'http_program_list'},
  handle: async ({runtime, caller}) =>
    okReply({programs: await listProgramRuns(runtime, hasRole(caller, 'operator') ? undefined : caller.name)}),
};

const viewRoute: Route = {
  method: 'GET',
  path: '/v1/programs/:id',
  summary: 'Returns the run of a program with the state of its steps',
  role: 'agent',
  answers: {200: runShape},
  refuses: visibleRefusals,
  async handle(call) {
    const viewed = await visibleRun(call);
    return viewed.ok ? okReply(viewed.value.run) : viewed.problem;
  },
};

const programRoute: Route = {
  method: 'GET',
  path: '/v1/programs/:id/program',
  summary: 'Returns the program of a run',
  role: 'agent',
  answers: {200: 'program.schema.json#/$defs/program'},
  refuses: visibleRefusals,
  async handle(call) {
    const viewed = await visibleRun(call);
    return viewed.ok ? okReply(viewed.value.program) : viewed.problem;
  },
};

interface CheckBody {
  /** A text is YAML or JSON. */
  readonly program: string | Program;
  readonly lane?: string;
}

const checkRoute: RouteOf<unknown, CheckBody> = {
  method: 'POST',
  path: '/v1/programs/check',
  summary: 'Checks a program without running it, and previews its calls',
  role: 'agent',
  body: {type: 'object', properties: {program, lane}, required: ['program'], additionalProperties: false},
  answers: {200: 'program.schema.json#/$defs/program_check'},
  refuses: ['LANE_NOT_FOUND'],
  async handle(call) {
    const {runtime, body} = call;
    const asked = askedLane(call, body.lane ?? runtime.workspace.spec.lanes[0].id);
    if (!asked.ok) return asked.problem;
    const {check} = await checkProgram(runtime, writtenProgram(body.program), {...asked.value, surface: 'http'});
    return okReply(check);
  },
};

interface RunBody extends CheckBody {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly limits?: ProgramLimits;
  readonly approved_as_whole?: boolean;
}

const runRoute = (workspaceRoot: string): RouteOf<unknown, RunBody> => ({
  method: 'POST',
  path: '/v1/programs',
  summary: 'Runs a program until it ends or waits',
  role: 'agent',
  body: {
    type: 'object',
    properties: {
      program,
      lane,
      inputs: {type: 'object'},
      limits: {type: 'object'},
      approved_as_whole: {type: 'boolean'},
    },
    required: ['program'],
    additionalProperties: false,
  },
  answers: {200: runShape},
  refuses: sessionRefusals,
  callsTool: true,
  async handle({runtime, caller, body, signal}) {
    const {program: written, limits, ...request} = body;
    const from = {by: caller.name, person: caller.person, surface: 'http' as const};
    return replyOf(
      await runProgram(
        {runtime, workspaceRoot},
        {program: writtenProgram(written), ...request, ...from},
        {limits, signal},
      ),
    );
  },
});

const resumeRoute = (workspaceRoot: string): Route => ({
  method: 'POST',
  path: '/v1/programs/:id/resume',
  summary: 'Continues the run of a program after the last step that has ended',
  role: 'agent',
  answers: {200: runShape},
  refuses: [...visibleRefusals, ...sessionRefusals, 'TASK_NOT_ACTIVE', 'SESSION_BUSY'],
  callsTool: true,
  async handle(call) {
    const {runtime, caller, param, signal} = call;
    const request = {run_id: param('id'), by: caller.name, is_operator: hasRole(caller, 'operator')};
    return replyOf(await resumeProgram({runtime, workspaceRoot}, request, {signal}));
  },
});

/** The run if the caller started it or can see all runs. Also of a run whose task is no longer claimed. */
async function visibleRun({host, caller, param}: RouteCall<unknown, unknown>): Promise<Outcome<ViewedProgram, Reply>> {
  const viewed = await viewProgram(host, param('id'));
  if (!viewed.ok) return failed(refusalOf(viewed.problem));
  if (viewed.value.run.by === caller.name || hasRole(caller, 'operator')) return viewed;
  return failed(refuse('SESSION_DENIED', `run \`${param('id')}\` is not one that you started`, {run_id: param('id')}));
}

function writtenProgram(written: CheckBody['program']): ProgramText | Program {
  return typeof written === 'string' ? {file: 'program.yaml', text: written} : written;
}

function replyOf(run: Outcome<ProgramRun, ToolFailure>): Reply {
  return run.ok ? okReply(run.value) : refusalOf(run.problem);
}

function refusalOf(problem: ToolFailure): Reply {
  return {status: statusOfStart(problem.code), body: {error: problem, ...requestOf(problem)}};
}
