// Tasks by lane, and how much of its limit each lane has in hand.
import type {JSX} from 'preact';
import type {Lanes, Task} from '../answers.ts';
import {Badge, Loaded} from '../elements.tsx';
import {useResource} from '../session.ts';

interface List {
  readonly tasks: readonly Task[];
  readonly next_after?: string;
}
const taskEvents = /^task_/;
const states = ['ready', 'active', 'blocked', 'done'] as const;
/** Of each state in a lane; a lane's done tasks never end. */
const shownMax = 12;

export function TasksPage(): JSX.Element {
  const lanes = useResource<Lanes>('/v1/lanes', taskEvents);
  return <Loaded from={lanes}>{(data) => data.lanes.map((lane) => <LaneBoard key={lane.id} lane={lane} />)}</Loaded>;
}

function LaneBoard({lane}: {readonly lane: Lanes['lanes'][number]}): JSX.Element {
  const {id, title, wip_limit, in_progress} = lane;
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
          <Column key={state} laneId={id} state={state} />
        ))}
      </div>
    </section>
  );
}

function Column({laneId, state}: {readonly laneId: string; readonly state: string}): JSX.Element {
  const list = useResource<List>(
    `/v1/tasks?${new URLSearchParams({lane_id: laneId, state, limit: '1000'})}`,
    taskEvents,
  );
  return (
    <section>
      <h3>
        <Badge of={state} /> {list.data && `${list.data.tasks.length}${list.data.next_after === undefined ? '' : '+'}`}
      </h3>
      <Loaded from={list}>
        {({tasks}) => (
          <ul>
            {tasks
              .slice(-shownMax)
              .toReversed()
              .map((task) => (
                <li key={task.task_id}>
                  <a href={`#/tasks/${encodeURIComponent(task.task_id)}`}>{task.task_id}</a>
                  {task.run && <small class="quiet">{task.run.by}</small>}
                  {task.blocked_reason !== undefined && <small>{task.blocked_reason}</small>}
                </li>
              ))}
            {tasks.length > shownMax && <li class="quiet">and {tasks.length - shownMax} older</li>}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
