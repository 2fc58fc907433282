// `lumenflow state doctor`: where the records are, and whether they can be used from here.
import type {WitnessAnswer} from '@lumenflow/kernel';
import {readWitnessAnswers, readWorkspace} from '@lumenflow/kernel/node';
import {counted} from '../../text/counted.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import type {CliContext, Command} from '../command.ts';
import {kernelFolderOf, openStateOf} from '../state/open-state-of.ts';
import {stateOf, type StateOfWorkspace} from '../state/state-of.ts';

export const stateDoctor: Command = async (context) => {
  const place = await stateOf(context);
  const state = await context.spin('opening the records', () => openStateOf(context, place));
  try {
    const {events, traces} = state.logs;
    const [eventLines, records, open, sizes] = await Promise.all([
      events.length(),
      traces.length(),
      state.evidence.openCalls(),
      traces.checkpoints.sizes(),
    ]);
    const alive = open.filter(({started}) => state.processes.isAlive(started.process_id)).length;
    const witnesses = await witnessesOf(context, place);
    const data = {
      kind: place.settings.kind,
      location: traces.location,
      events: eventLines,
      records,
      signed_records: sizes.at(-1) ?? 0,
      open_calls: open.length,
      open_calls_of_ended_hosts: open.length - alive,
      witnesses,
    };
    return {
      data: {state: data},
      text: () =>
        renderFields(
          [
            ['kind', data.kind],
            ['place', data.location],
            ['events', String(data.events)],
            ['records', `${data.records}, of which ${data.signed_records} are signed`],
            [
              'open calls',
              `${data.open_calls}, of which ${data.open_calls_of_ended_hosts} belong to hosts that have ended`,
            ],
            ...witnesses.map((answer, at): [string, string] => [at === 0 ? 'witnesses' : '', lineOf(answer)]),
          ],
          context.style,
        ),
    };
  } finally {
    await state.close();
  }
};

async function witnessesOf(
  {env}: CliContext,
  {workspaceRoot: root}: StateOfWorkspace,
): Promise<readonly WitnessAnswer[]> {
  const read = await readWorkspace({root, env});
  const settings = read.ok ? read.value.spec.evidence?.witnesses : undefined;
  return settings === undefined ? [] : readWitnessAnswers(kernelFolderOf(root), settings);
}

function lineOf({name, log, cosigned, at, problem}: WitnessAnswer): string {
  const lines = counted(cosigned, log === 'events' ? 'event' : 'record');
  const state = problem === undefined ? `at ${at}` : `; since ${problem.since}: ${cleanText(problem.message)}`;
  return `${cleanText(name)} cosigned ${lines}${problem === undefined ? ' ' : ''}${state}`;
}
