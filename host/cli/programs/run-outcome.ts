// The outcome of a command about a run: its value, its state and the next steps.
import type {ProgramRun} from '@lumenflow/schemas';
import type {Host} from '../../compose.ts';
import type {CliContext, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {approveStep, detailsOf} from '../rendering/approve-step.ts';
import {commandLine} from '../rendering/command-line.ts';
import {wrapText} from '../rendering/render-fields.ts';
import {renderNext, type FailureAdvice} from '../rendering/render-failure.ts';
import {renderValue} from '../rendering/render-value.ts';

type WithRuntime = Pick<Host, 'runtime'>;

/** `own`: the name that the next command acts by without `--as`. */
export function runOutcome(context: CliContext, host: WithRuntime, run: ProgramRun, own: string): Outcome {
  const {style, errorStyle} = context;
  const next = nextSteps(run, context, host, own);
  return {
    data: {...run, ...(next.length > 0 && {next: next.map(({command}) => command)})},
    text: () => (run.value === null ? '' : renderValue(run.value, style)),
    note: () => [headline(context, run), renderNext(next, errorStyle)].filter((part) => part !== '').join('\n'),
    exitCode: exitCodes[run.state],
  };
}

const exitCodes: Readonly<Record<ProgramRun['state'], number>> = {
  succeeded: exitCode.ok,
  failed: exitCode.failed,
  ambiguous: exitCode.approvalRequired,
  waiting: exitCode.approvalRequired,
  running: exitCode.ok,
  interrupted: exitCode.interrupted,
};

function headline({errorStyle: style}: CliContext, {state, name, run_id, error}: ProgramRun): string {
  const mark = state === 'succeeded' ? style.good('✔') : state === 'failed' ? style.bad('✘') : style.warning('●');
  const head = `${mark} ${style.bold(state)}  ${style.dim(`${name}, run ${run_id}`)}`;
  if (!error) return head;
  const step = error.details?.['step'];
  const where = typeof step === 'string' && step !== '' ? ` ${style.dim(step)}` : '';
  return `${head}\n${wrapText(`  ${style.bad(cleanText(error.code))}${where}  ${cleanText(error.message)}`, style.width)}`;
}

function nextSteps(
  {run_id, by, state, approvals = []}: ProgramRun,
  context: CliContext,
  {runtime}: WithRuntime,
  own: string,
): NonNullable<FailureAdvice['next']> {
  const {workspace} = context;
  const as = by === own ? undefined : by;
  const resume = {to: 'then resume the run', command: commandLine(['program', 'resume', run_id], {as, workspace})};
  if (state === 'waiting') {
    const to = 'approve it, under a name other than that of the requester';
    const asked = approvals.map((request) =>
      approveStep({to, request, details: detailsOf(runtime, request), workspace}),
    );
    return [...asked, resume];
  }
  if (state === 'ambiguous') {
    const answers = approvals.flatMap((request) => [
      {to: 'if the call did happen', command: commandLine(['approvals', 'approve', request], {workspace})},
      {
        to: 'if the call did not happen, so that it is made again',
        command: commandLine(['approvals', 'reject', request], {workspace}),
      },
    ]);
    return [...answers, resume];
  }
  return state === 'interrupted' ? [{...resume, to: 'resume the run'}] : [];
}
