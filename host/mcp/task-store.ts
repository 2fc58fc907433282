// Calls that a client made as tasks, in protocol version 2025-11-25. The client polls for the result, also after it has
// reconnected. Tasks live in the process; the record of each call is in the evidence.
import {ProtocolError, ProtocolErrorCode, type CallToolResult, type Task} from '@modelcontextprotocol/server';
import {randomUUID} from 'node:crypto';

export interface TaskWork {
  readonly signal: AbortSignal;
  /** Shows the client what the task does now, for example that it waits for an approval. */
  report(statusMessage: string): void;
}

export interface TaskStore {
  /** Throws ProtocolError if too many tasks are kept. `ttlMs`: how long the task is kept, default an hour. */
  start(ttlMs: number | undefined, work: (task: TaskWork) => Promise<CallToolResult>): Task;
  /** Sorted by creation. */
  list(): readonly Task[];
  /** These throw ProtocolError for an unknown task. */
  get(taskId: string): Task;
  /** Resolves when the task has ended. */
  result(taskId: string): Promise<CallToolResult>;
  /** Throws ProtocolError for a task that has ended. */
  cancel(taskId: string): Task;
}

interface Entry {
  /** Monotonic milliseconds. */
  readonly startedMs: number;
  readonly ended: Promise<CallToolResult>;
  readonly cancelling: AbortController;
  task: Task;
}

const tasksMax = 1_000;
const defaultTtlMs = 60 * 60_000;
const ttlMaxMs = 24 * 60 * 60_000;
const pollInterval = 1_000;

/** `monotonic`: milliseconds since an arbitrary point. So a clock that changes keeps no task longer, and forgets none early. */
export function createTaskStore(monotonic: () => number = () => performance.now()): TaskStore {
  const entries = new Map<string, Entry>();

  function forgetExpired(): void {
    const now = monotonic();
    for (const [taskId, {task, startedMs}] of entries) {
      const isOver = startedMs + (task.ttl ?? ttlMaxMs) < now;
      if (isOver && task.status !== 'working') entries.delete(taskId);
    }
  }

  function find(taskId: string): Entry {
    forgetExpired();
    const found = entries.get(taskId);
    if (found) return found;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task \`${taskId}\`, or it has expired`);
  }

  return {
    start(ttlMs = defaultTtlMs, work) {
      forgetExpired();
      if (entries.size >= tasksMax)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${tasksMax} tasks are kept: wait until some expire`);
      const taskId = randomUUID();
      const now = new Date().toISOString();
      const ttl = Math.min(ttlMs, ttlMaxMs);
      const task: Task = {taskId, status: 'working', createdAt: now, lastUpdatedAt: now, ttl, pollInterval};
      entries.set(taskId, createEntry(task, monotonic(), work));
      return task;
    },
    list() {
      forgetExpired();
      return [...entries.values()].map(({task}) => task);
    },
    get: (taskId) => find(taskId).task,
    result: (taskId) => find(taskId).ended,
    cancel(taskId) {
      const entry = find(taskId);
      if (entry.task.status !== 'working')
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `task \`${taskId}\` has ended: ${entry.task.status}`);
      entry.task = updated(entry.task, {status: 'cancelled', statusMessage: 'the client cancelled it'});
      entry.cancelling.abort();
      return entry.task;
    },
  };
}

function createEntry(task: Task, startedMs: number, work: (task: TaskWork) => Promise<CallToolResult>): Entry {
  const cancelling = new AbortController();
  const report = (statusMessage: string): void => change({statusMessage});
  const ended = work({signal: cancelling.signal, report});
  const entry: Entry = {task, startedMs, cancelling, ended};
  // A cancelled task stays cancelled, even if its call succeeds.
  function change(to: Partial<Task>): void {
    if (entry.task.status === 'working') entry.task = updated(entry.task, to);
  }
  ended.then(
    ({isError}) =>
      change(
        isError === true
          ? {status: 'failed', statusMessage: 'the call failed'}
          : {status: 'completed', statusMessage: ''},
      ),
    (error: unknown) =>
      change({status: 'failed', statusMessage: error instanceof Error ? error.message : String(error)}),
  );
  return entry;
}

function updated(task: Task, to: Partial<Task>): Task {
  return {...task, ...to, lastUpdatedAt: new Date().toISOString()};
}
