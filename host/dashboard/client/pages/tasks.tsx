// Tasks by lane, with the use of each lane's WIP limit.
import type {HttpLane, HttpLaneList, HttpTask, HttpTaskPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Age, Badge, Loaded, TaskLink} from '../elements.tsx';
import {useEvery, useResource} from '../session.ts';
import {useStateAlias} from '../state-alias.ts';

const taskEvents = /^task_/;
const states = ['ready', 'active', 'blocked', 'done'] as const;
/** Maximum per state and lane, because the number of done tasks is unbounded. */
const shownMax = 12;

export function TasksPage(): JSX.Element {
  const lanes = useResource<HttpLaneList>('/v1/lanes', taskEvents);
  const aliasOf = useStateAlias();
  // Ages change without an event.
  useEvery(60_000, lanes.reload);
  return (
    <Loaded from={lanes}>
      {(data) => data.lanes.map((lane) => <LaneBoard key={lane.spec.id} lane={lane} aliasOf={aliasOf} />)}
    </Loaded>
  );
}

function LaneBoard({lane, aliasOf}: {readonly lane: HttpLane; readonly aliasOf: ColumnProps['aliasOf']}): JSX.Element {
  const {in_progress, spec} = lane;
  const {id, title, wip_limit} = spec;
  const isFull = wip_limit !== undefined && in_progress >= wip_limit;
  return (
    <section class="card lane">
      <h2>
        {title ?? id} {title !== undefined && <code>{id}</code>}
        <span class={`badge ${isFull ? 'wait' : 'plain'}`}>
          {in_progress} of {wip_limit ?? 'any number'} in progress
        </span>
      </h2>
      <div class="board">
        {states.map((state) => (
          <Column key={state} laneId={id} state={state} aliasOf={aliasOf} />
        ))}
      </div>
    </section>
  );
}

interface ColumnProps {
  readonly laneId: string;
  readonly state: string;
  readonly aliasOf: (task: HttpTask) => string | undefined;
}

function Column({laneId, state, aliasOf}: ColumnProps): JSX.Element {
  const list = useResource<HttpTaskPage>(
    `/v1/tasks?${new URLSearchParams({lane_id: laneId, state, order: 'newest', limit: String(shownMax)})}`,
    taskEvents,
  );
  return (
    <section>
      <h3>
        <Badge of={state} /> {list.data?.total}
      </h3>
      <Loaded from={list}>
        {({tasks, total}) => (
          <ul>
            {tasks.map((task) => (
              <li key={task.task_id}>
                <TaskLink id={task.task_id} />
                <small class="quiet">
                  {task.run && <>{task.run.by}, </>}
                  {aliasOf(task) !== undefined && <>{aliasOf(task)}, </>}
                  <Age since={task.completed_at ?? task.run?.claimed_at ?? task.created_at} />
                </small>
                {task.blocked_reason !== undefined && <small>{task.blocked_reason}</small>}
              </li>
            ))}
            {total > tasks.length && <li class="quiet">and {total - tasks.length} older</li>}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
