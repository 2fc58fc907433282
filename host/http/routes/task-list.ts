// Lists tasks with their titles. A title is in the task's spec, so it is read once and kept by the hash of the spec.
import type {KernelRuntime, TaskFilter, TaskRecord} from '@lumenflow/kernel';
import {matchesWords} from '../../text/matches-words.ts';
import type {Route, RouteOf} from '../route.ts';
import {page, pageProperties, type PageQuery} from './page.ts';

const identifier = {type: 'string', minLength: 1, maxLength: 128};

interface TaskQuery extends TaskFilter, PageQuery {
  readonly text?: string;
  readonly without_by?: string;
}

export function createTaskListRoutes(): readonly Route[] {
  const titleOf = createTitles();
  const listTasks: RouteOf<TaskQuery, unknown> = {
    method: 'GET',
    path: '/v1/tasks',
    summary: 'Lists tasks by lane and state',
    role: 'agent',
    query: {
      type: 'object',
      properties: {
        lane_id: identifier,
        state: {type: 'string', enum: ['ready', 'active', 'blocked', 'done', 'cancelled']},
        text: {
          type: 'string',
          maxLength: 256,
          description: 'Words. Each must be a part of the title, id, type or owner, in any case',
        },
        without_by: {...identifier, description: 'Leaves out the tasks that this principal claimed last'},
        ...pageProperties,
      },
      additionalProperties: false,
    },
    answers: {200: 'http_task_page'},
    async handle({runtime, query}) {
      const {text = '', without_by, ...filter} = query;
      const show = async (task: TaskRecord): Promise<object> => {
        const title = await titleOf(runtime, task);
        return {...task, ...(title !== undefined && {title})};
      };
      const all = await matching(runtime.listTasks(filter), text, (task) => titleOf(runtime, task));
      const listed = all.filter(({run}) => without_by === undefined || run?.by !== without_by);
      const more = without_by === undefined ? {} : {left_out: all.length - listed.length};
      return page('tasks', listed, {idOf: ({task_id}) => task_id, show, more}, filter);
    },
  };
  return [listTasks];
}

async function matching(
  tasks: readonly TaskRecord[],
  text: string,
  titleOf: (task: TaskRecord) => Promise<string | undefined>,
): Promise<readonly TaskRecord[]> {
  if (text.trim() === '') return tasks;
  const found: TaskRecord[] = [];
  for (const task of tasks) {
    const {task_id, task_type, run} = task;
    if (matchesWords(text, [task_id, task_type, run?.by, await titleOf(task)])) found.push(task);
  }
  return found;
}

function createTitles(): (runtime: KernelRuntime, task: TaskRecord) => Promise<string | undefined> {
  const known = new Map<string, string | undefined>();
  return async (runtime, {task_id, spec_hash}) => {
    if (known.has(spec_hash)) return known.get(spec_hash);
    const found = await runtime.inspectTask(task_id);
    if (!found.success) return undefined;
    known.set(found.data.spec_hash, found.data.spec.title);
    return found.data.spec.title;
  };
}
