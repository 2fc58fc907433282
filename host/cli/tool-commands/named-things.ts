// Lists what an argument can name and only the workspace knows: tasks, receipts, approval requests, sessions, lanes.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {CliContext} from '../command.ts';
import {withHost} from '../with-host.ts';
import type {Suggestion} from './complete-words.ts';

/** More than a person can choose from. */
const receiptsMax = 50;

type List = (runtime: KernelRuntime) => readonly Suggestion[] | Promise<readonly Suggestion[]>;

const task: List = (runtime) =>
  runtime
    .listTasks({})
    .flatMap(({task_id, state, lane_id}) =>
      state === 'done' ? [] : [{value: task_id, description: `${state}, lane ${lane_id}`}],
    );

const lists = new Map<string, List>([
  ['task', task],
  ['session', task],
  ['request', (runtime) => requests(runtime)],
  ['receipt', receipts],
  ['lane', ({workspace}) => workspace.spec.lanes.map(({id}) => ({value: id, description: ''}))],
  ['tool', ({workspace}) => [...workspace.tools.keys()].map((value) => ({value, description: ''}))],
]);

/** `name` is the name of an argument or of an option's value. Empty for all others, so that the shell completes files. */
export async function namedThings(context: CliContext, name: string): Promise<readonly Suggestion[]> {
  const list = lists.get(name);
  return list === undefined ? [] : await withHost(context, async ({runtime}) => await list(runtime));
}

function requests(runtime: KernelRuntime): readonly Suggestion[] {
  return runtime
    .listApprovals({state: 'pending'})
    .map(({request_id, requested_by}) => ({value: request_id, description: `asked by ${requested_by}`}));
}

async function receipts({evidence}: KernelRuntime): Promise<readonly Suggestion[]> {
  const page = await evidence.readTraces({limit: receiptsMax});
  return page.receipts.map(({receipt_id, started}) => ({
    value: receipt_id,
    description: `${started.tool_name} ${started.timestamp}`,
  }));
}
