// Tasks by lane, with the use of each lane's WIP limit.
import type {HttpLane, HttpLaneList, HttpTask, HttpTaskPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Age, Badge, Loaded, shortId} from '../elements.tsx';
import {FilterBar} from '../filter-bar.tsx';
import {FoldedScheduler, useFoldedCaller} from '../folded-scheduler.tsx';
import {useFilter} from '../place.ts';
import {useEvery, useResource} from '../page-session.ts';
import {useStateAlias} from '../state-alias.ts';
import {useSettled} from '../use-settled.ts';

const taskEvents = /^task_/;
const states = ['ready', 'active', 'blocked', 'done', 'cancelled'] as const;
/** Tasks of a state and lane at first, and with each “Show more”, because the number of done tasks is unbounded. */
const pageSize = 12;
const shownMax = 1_000;

export function TaskListPage(): JSX.Element {
  const lanes = useResource<HttpLaneList>('/v1/lanes', taskEvents);
  const aliasOf = useStateAlias();
  // Ages change without an event.
  useEvery(60_000, lanes.reload);
  return (
    <>
      <FilterBar of="title, id, type or owner" />
      {useFoldedCaller() === undefined && <FoldedScheduler count={undefined} />}
      <Loaded from={lanes}>
        {(data) => data.lanes.map((lane) => <LaneBoard key={lane.spec.id} lane={lane} aliasOf={aliasOf} />)}
      </Loaded>
    </>
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
  const [text] = useFilter('text');
  const wanted = useSettled(text.trim());
  const folded = useFoldedCaller();
  const [limit, setLimit] = useState(pageSize);
  const query = new URLSearchParams({
    lane_id: laneId,
    state,
    order: 'newest',
    limit: String(limit),
    ...(wanted !== '' && {text: wanted}),
    ...(folded !== undefined && {without_by: folded}),
  });
  const list = useResource<HttpTaskPage>(`/v1/tasks?${query}`, taskEvents);
  return (
    <section>
      <h3>
        <Badge of={state} /> {list.data?.total}
      </h3>
      <Loaded from={list}>
        {({tasks, total, left_out = 0}) => (
          <>
            <FoldedScheduler count={left_out} />
            <ul>
              {tasks.map((task) => (
                <Card key={task.task_id} of={task} alias={aliasOf(task)} />
              ))}
            </ul>
            {total > tasks.length && limit < shownMax && (
              <button type="button" class="plain" onClick={() => setLimit(Math.min(shownMax, limit + pageSize))}>
                Show more of {total.toLocaleString('en')}
              </button>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Card({of: task, alias}: {readonly of: HttpTask; readonly alias: string | undefined}): JSX.Element {
  const {task_id, title, run, completed_at, created_at, blocked_reason} = task;
  return (
    <li>
      <a href={`#/tasks/${encodeURIComponent(task_id)}`} title={task_id}>
        {title ?? shortId(task_id)}
      </a>
      <small class="quiet">
        {run && <>{run.by}, </>}
        {alias !== undefined && <>{alias}, </>}
        <Age since={completed_at ?? run?.claimed_at ?? created_at} />
      </small>
      {title !== undefined && <small class="quiet id">{shortId(task_id)}</small>}
      {blocked_reason !== undefined && <small>{blocked_reason}</small>}
    </li>
  );
}
