// `lumenflow program show`: a run with the state of each step that began.
import {viewProgramRun} from '../../exec/index.ts';
import type {CliContext, Command} from '../command.ts';
import {findRunId} from '../programs/find-run-id.ts';
import {programFailure} from '../programs/program-failure.ts';
import {runOutcome} from '../programs/run-outcome.ts';
import {shortIdLength} from '../rendering/short-id-length.ts';
import {renderTable} from '../rendering/render-table.ts';
import {stepMark} from '../programs/step-mark.ts';
import {supposedActor} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';
import type {ProgramRun} from '@lumenflow/schemas';

export const programShow: Command = async (context, [run = '']) =>
  await withHost(context, async (host) => {
    const found = await viewProgramRun(host, findRunId(host.runtime, run));
    if (!found.ok) return programFailure(context, found.problem);
    const outcome = runOutcome(context, host, found.value, (await supposedActor(context, host, undefined)).by);
    const text = (): string =>
      [steps(context, found.value), outcome.text?.() ?? ''].filter((part) => part !== '').join('\n\n');
    return {...outcome, text, exitCode: 0};
  });

function steps({style}: CliContext, {steps: records}: ProgramRun): string {
  if (records.length === 0) return '';
  return renderTable(
    records,
    [
      {
        title: '',
        cell: ({state}) => stepMark(state, {...style, ...plain}),
        paint:
          ({state}) =>
          () =>
            stepMark(state, style),
      },
      {title: 'STEP', cell: ({step}) => step, shrinksTo: 16},
      {title: 'KIND', cell: ({kind}) => kind},
      {title: 'TOOL', cell: ({tool_id = ''}) => tool_id, shrinksTo: 10, paint: () => style.bold},
      {title: 'RECEIPT', cell: ({receipt_id = ''}) => receipt_id.slice(0, shortIdLength)},
      {title: 'STATE', cell: ({state, error}) => error?.code ?? state, shrinksTo: 8},
    ],
    style,
  );
}

const same = (text: string): string => text;
const plain = {good: same, bad: same, warning: same, accent: same, dim: same};
