// `lumenflow program list`: the runs of programs, newest first.
import {listProgramRuns} from '../../exec/index.ts';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import {paintOf} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

export const programList: Command = async (context) =>
  await withHost(context, async ({runtime}) => {
    const programs = await listProgramRuns(runtime);
    const {style, errorStyle} = context;
    const now = Date.now();
    return {
      data: {programs},
      text: () =>
        programs.length === 0
          ? ''
          : renderTable(
              programs,
              [
                {title: 'WHEN', cell: ({created_at}) => renderTime(created_at, now), paint: () => style.dim},
                {title: 'RUN', cell: ({run_id}) => run_id, paint: () => style.bold},
                {title: 'PROGRAM', cell: ({name}) => name, shrinksTo: 10},
                {
                  title: 'TASK',
                  cell: ({task_state}) => task_state,
                  paint: ({task_state}) => paintOf(style, task_state),
                },
                {title: 'LANE', cell: ({lane_id}) => lane_id, shrinksTo: 8},
              ],
              style,
            ),
      note: () => errorStyle.dim(programs.length === 0 ? 'no program has run' : 'details: lumenflow program show RUN'),
    };
  });
