// A program reviews the dependencies that the agent added. It is checked before it runs, waits for a person, and continues.
import {
  checkProgram,
  describeStep,
  resumeProgram,
  runProgram,
  stepStates,
  viewProgram,
  worstState,
  type ProgramRun,
  type ProgramText,
} from '@lumenflow/host/exec';
import type {Session} from '@lumenflow/host';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {resolveRequest} from './resolve-request.ts';
import type {CallOutput, Stage} from './stage.ts';

const name = 'examples/programs/dependency-review.yaml';
const path = 'examples/first-session/package.json';
const added = {old_text: '"@lumenflow/host"', new_text: '"@example/pad": "^1.3.0",\n    "@lumenflow/host"'};
const by = 'agent';
const lane = 'docs';

export async function runReview(stage: Stage, session: Session): Promise<void> {
  stage.act('A program waits for a person, and then continues');
  await stage.call(
    session,
    'file:edit',
    {path, ...added},
    {title: 'a dependency', expect: 'success', outcome: 'allowed', lines: () => [`@example/pad ^1.3.0 in ${path}`]},
  );
  const program = {file: name, text: readFileSync(join(stage.host.workspaceRoot, name), 'utf8')};
  await preview(stage, program);
  const waiting = await report(
    stage,
    {title: 'it waits', action: 'run program', outcome: 'paused', expect: 'waiting'},
    () => runProgram(stage.host, {program, inputs: {path}, by, lane}),
  );
  if (!waiting) return;
  const [request_id] = waiting.approvals ?? [];
  const asked = {success: false, error: {code: 'APPROVAL_REQUIRED', message: '', details: {request_id}}};
  await resolveRequest(stage, asked as CallOutput, {
    title: 'a person accepts it',
    approved: true,
    reason: 'it is small',
  });
  await report(stage, {title: 'it continues', action: 'resume program', outcome: 'passed', expect: 'succeeded'}, () =>
    resumeProgram(stage.host, {run_id: waiting.run_id, by}),
  );
}

async function preview(stage: Stage, program: ProgramText): Promise<void> {
  const started = performance.now();
  const {check} = await checkProgram(stage.host.runtime, program, {lane_id: lane});
  stage.report(
    {
      title: 'checked as a whole',
      action: 'check program',
      outcome: 'allowed',
      ran: 'kernel',
      lines: check.calls.map(({tool_id, policy, where}) => `${tool_id} ${policy}, ${where}`),
      as_expected: check.problems.length === 0 && check.calls.length > 0,
    },
    started,
  );
}

interface RunStep {
  readonly title: string;
  readonly action: string;
  readonly outcome: 'paused' | 'passed';
  readonly expect: ProgramRun['state'];
}

async function report(
  stage: Stage,
  {expect, ...step}: RunStep,
  work: () => ReturnType<typeof runProgram>,
): Promise<ProgramRun | undefined> {
  const started = performance.now();
  const run = await work();
  const found = run.ok ? run.value : undefined;
  const calls = found?.steps.filter(({kind}) => kind === 'call').length ?? 0;
  const problem = run.ok ? (run.value.error?.message ?? '') : run.problem.message;
  stage.report(
    {
      ...step,
      ran: `${calls} calls`,
      lines: found?.state === expect ? await describeRun(stage, found) : [`expected ${expect}, but ${problem}`],
      as_expected: found?.state === expect,
    },
    started,
  );
  return found;
}

/** Of a run that waits: the outermost steps with their states; `lumenflow program graph` draws all of them. */
async function describeRun(
  {host}: Stage,
  {run_id, steps: records, state, value}: ProgramRun,
): Promise<readonly string[]> {
  if (state === 'succeeded')
    return Object.entries(value as object).map(([key, part]) => `${key} ${JSON.stringify(part)}`);
  const viewed = await viewProgram(host, run_id);
  if (!viewed.ok) return [viewed.problem.message];
  const states = stepStates(records);
  const drawn = viewed.value.program.steps.map((step, index) => {
    const reached = worstState(states.get(`/steps/${index}`) ?? []);
    return `${reached === undefined ? '○' : marks[reached]} ${describeStep(step).slice(0, 60)}`;
  });
  return [...drawn, await question(host.runtime, run_id)];
}

async function question({listApprovals, evidence}: Stage['host']['runtime'], task_id: string): Promise<string> {
  const [approval] = listApprovals({task_id, state: 'pending'});
  const shown = JSON.parse((await evidence.readBlob(approval?.input_ref ?? '')) ?? '{}') as {statement?: string};
  return `it asks: ${shown.statement ?? ''}`.trim();
}

const marks = {running: '▸', waiting: '‖', ambiguous: '?', succeeded: '✓', failed: '✗'} as const;
