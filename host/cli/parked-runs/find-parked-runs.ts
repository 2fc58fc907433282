// The runs that an engine has parked. The log of the workspace knows the runs that are not over, and the engine is asked about each of them.
import type {KernelRuntime, TaskRecord} from '@lumenflow/kernel';
import type {Engine} from '@lumenflow/kernel/adapters';
import {agentRunId} from '../../agent/agent-run-id.ts';
import {isRunId} from '../../exec/index.ts';

export interface ParkedRun {
  /** As `lumenflow program resume` or `lumenflow agent resume` takes it. */
  readonly id: string;
  readonly kind: 'program' | 'agent';
  readonly title: string;
  readonly lane_id: string;
  readonly reason: string;
  /** Null: the engine has not recorded it. */
  readonly since: string | null;
}

export interface ParkedRuns {
  readonly runs: readonly ParkedRun[];
  /** How many runs the engine was asked about, newest first, of those that are not over. */
  readonly asked: number;
  readonly open: number;
}

/** Each is a request to a server. */
const askedMax = 200;
const atOnce = 10;

export async function findParkedRuns(
  engine: Pick<Engine, 'query'>,
  runtime: Pick<KernelRuntime, 'listTasks' | 'inspectTask'>,
): Promise<ParkedRuns> {
  const open = runtime
    .listTasks()
    .filter((task) => kindOf(task) !== undefined && task.state !== 'done' && task.state !== 'cancelled')
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at));
  const asked = open.slice(0, askedMax);
  const runs: ParkedRun[] = [];
  for (let at = 0; at < asked.length; at += atOnce) {
    const found = await Promise.all(asked.slice(at, at + atOnce).map((task) => parkedRun(engine, runtime, task)));
    runs.push(...found.flat());
  }
  return {runs, asked: asked.length, open: open.length};
}

function kindOf({task_id, task_type}: TaskRecord): ParkedRun['kind'] | undefined {
  if (isRunId(task_id)) return 'program';
  return task_type === 'agent-session' ? 'agent' : undefined;
}

async function parkedRun(
  engine: Pick<Engine, 'query'>,
  runtime: Pick<KernelRuntime, 'inspectTask'>,
  task: TaskRecord,
): Promise<readonly ParkedRun[]> {
  const {task_id: id, lane_id} = task;
  const kind = kindOf(task) ?? 'program';
  const run = await engine.query(kind === 'agent' ? agentRunId(id) : id);
  if (run?.state !== 'parked') return [];
  const found = await runtime.inspectTask(id);
  const title = (found.success && found.data.spec.title) || '';
  return [{id, kind, title, lane_id, reason: run.reason ?? '', since: run.since ?? null}];
}
