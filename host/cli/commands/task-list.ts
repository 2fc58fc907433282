// `lumenflow task list`: lists tasks that are ready or in progress.
import type {TaskRecord} from '@lumenflow/kernel';
import type {Command} from '../command.ts';
import {isPlannedTask} from '../../sessions/is-planned-task.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {stateAliasOf} from '../state-alias.ts';
import {withHost} from '../with-host.ts';
import {counted} from '../../text/counted.ts';

interface Options {
  readonly lane?: string;
  readonly state?: string;
}

export const taskList: Command<Options> = async (context, _args, {lane, state}) => {
  return await withHost(context, async ({runtime}) => {
    const all = runtime.listTasks(lane === undefined ? {} : {lane_id: lane});
    const left = all.filter((task) => state === undefined && task.state === 'ready' && !isPlannedTask(task));
    const tasks = all.filter(
      (task) =>
        state === 'all' ||
        (state === undefined
          ? task.state !== 'done' && task.state !== 'cancelled' && !left.includes(task)
          : task.state === state),
    );
    const shown = tasks.map((task): ListedTask => {
      const alias = stateAliasOf(runtime.workspace, task);
      return alias === undefined ? task : {...task, state_alias: alias};
    });
    const done = state === undefined ? all.filter((task) => task.state === 'done').length : 0;
    const {style, errorStyle} = context;
    return {
      data: {tasks: shown},
      text: () => (shown.length === 0 ? '' : render(shown, style)),
      note: () => errorStyle.dim(noteOf(tasks.length, done, left.length)),
    };
  });
};

type ListedTask = TaskRecord & {readonly state_alias?: string};

function render(tasks: readonly ListedTask[], style: Style): string {
  const now = Date.now();
  return renderTable(
    tasks,
    [
      {title: 'TASK', cell: (task) => task.task_id, shrinksTo: 16, paint: () => style.bold},
      {title: 'LANE', cell: (task) => task.lane_id, shrinksTo: 8},
      {title: 'STATE', cell: (task) => task.state_alias ?? task.state, paint: (task) => paintOf(style, task.state)},
      {title: 'BY', cell: (task) => task.run?.by ?? '', shrinksTo: 8},
      {title: 'SINCE', cell: (task) => renderTime(task.completed_at ?? task.run?.claimed_at ?? task.created_at, now)},
      {title: 'WAITS FOR', cell: (task) => task.blocked_reason ?? '', shrinksTo: 9},
    ],
    style,
  );
}

/** `left`: tasks of sessions that ended without completing them. */
function noteOf(shown: number, done: number, left: number): string {
  const counts = [done > 0 && `${done} done`, left > 0 && `${left} left by ended sessions`].filter(
    (text) => text !== false,
  );
  const hidden = counts.length === 0 ? '' : `; ${counts.join(', ')}: --state all shows them`;
  return shown === 0 && hidden === '' ? 'no tasks: lumenflow task create ID' : `${counted(shown, 'task')}${hidden}`;
}
