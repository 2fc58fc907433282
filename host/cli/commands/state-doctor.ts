// `lumenflow state doctor`: where the records are, and whether they can be used from here.
import {renderFields} from '../rendering/render-fields.ts';
import type {Command} from '../command.ts';
import {openStateOf} from '../state/open-state-of.ts';
import {stateOf} from '../state/state-of.ts';

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
    const data = {
      kind: place.settings.kind,
      location: traces.location,
      events: eventLines,
      records,
      signed_records: sizes.at(-1) ?? 0,
      open_calls: open.length,
      open_calls_of_ended_hosts: open.length - alive,
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
          ],
          context.style,
        ),
    };
  } finally {
    await state.close();
  }
};
