// One execution of a workflow: its history, and the workflow task that tells a worker what is new in it.
import type {temporal} from '@temporalio/proto';
import {randomUUID} from 'node:crypto';
import type {ActivityRun} from './activity-run.fixture.ts';
import {
  EventType,
  now,
  TimeoutType,
  WorkflowExecutionStatus,
  type Attributes,
  type History,
} from './proto-values.fixture.ts';
import type {TaskQueue} from './task-queue.fixture.ts';

export interface WorkflowTask {
  readonly execution: Execution;
  readonly scheduledId: number;
}

export interface WorkerTask {
  readonly scheduledId: number;
  readonly startedId: number;
  /** How many events of the history the worker has. */
  readonly seen: number;
}

export interface ExecutionStart {
  readonly workflowId: string;
  readonly namespace: string;
  readonly type: temporal.api.common.v1.IWorkflowType;
  readonly queue: string;
  readonly input: temporal.api.common.v1.IPayloads | null | undefined;
  readonly memo?: Readonly<Record<string, temporal.api.common.v1.IPayload>>;
  readonly continuedFrom?: string;
}

export interface Queues {
  readonly workflows: TaskQueue<WorkflowTask>;
  readonly activities: TaskQueue<ActivityRun>;
}

/** A worker that has not answered a workflow task by then is given up, as one that closes while it polls. */
const taskSeconds = 10;

/** From how many events on the worker is asked to continue as new. */
export const eventsMax = 60;

export class Execution {
  readonly runId: string = randomUUID();
  readonly history: History = [];
  readonly activities = new Map<number, ActivityRun>();
  readonly timers = new Map<string, {readonly handle: NodeJS.Timeout; readonly startedId: number}>();
  readonly start: ExecutionStart;
  readonly queues: Queues;
  memo: Record<string, temporal.api.common.v1.IPayload>;
  status: temporal.api.enums.v1.WorkflowExecutionStatus = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  /** Of the workflow task that a worker has. */
  task: WorkerTask | undefined;
  previousStartedId = 0;
  #isScheduled = false;
  #watchers: (() => void)[] = [];

  constructor(start: ExecutionStart, queues: Queues) {
    this.start = start;
    this.queues = queues;
    this.memo = {...start.memo};
    this.add('WORKFLOW_EXECUTION_STARTED', {
      workflowExecutionStartedEventAttributes: {
        workflowType: start.type,
        workflowId: start.workflowId,
        taskQueue: {name: start.queue},
        input: start.input ?? null,
        originalExecutionRunId: this.runId,
        firstExecutionRunId: this.runId,
        attempt: 1,
        workflowTaskTimeout: {seconds: taskSeconds as never},
        workflowRunTimeout: {},
        workflowExecutionTimeout: {},
        header: {},
        memo: {fields: this.memo},
        ...(start.continuedFrom !== undefined && {continuedExecutionRunId: start.continuedFrom}),
      },
    });
  }

  get isClosed(): boolean {
    return this.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  add(type: string, attributes: Attributes): number {
    const eventId = this.history.length + 1;
    const eventType = EventType[`EVENT_TYPE_${type}` as keyof typeof EventType];
    this.history.push({eventId: eventId as never, eventTime: now(), eventType, ...attributes});
    for (const watcher of this.#watchers.splice(0)) watcher();
    return eventId;
  }

  close(status: keyof typeof WorkflowExecutionStatus): void {
    this.status = WorkflowExecutionStatus[status];
    for (const {handle} of this.timers.values()) clearTimeout(handle);
    for (const activity of this.activities.values()) activity.drop();
    this.activities.clear();
    for (const watcher of this.#watchers.splice(0)) watcher();
  }

  /** A worker has to look at the history. One task at a time is scheduled or started. */
  schedule(): void {
    if (this.isClosed || this.#isScheduled || this.task) return;
    this.#isScheduled = true;
    const scheduledId = this.add('WORKFLOW_TASK_SCHEDULED', {
      workflowTaskScheduledEventAttributes: {
        taskQueue: {name: this.start.queue},
        startToCloseTimeout: {seconds: taskSeconds as never},
        attempt: 1,
      },
    });
    this.queues.workflows.push({execution: this, scheduledId});
  }

  beginTask(scheduledId: number, identity: string): void {
    this.#isScheduled = false;
    const startedId = this.add('WORKFLOW_TASK_STARTED', {
      workflowTaskStartedEventAttributes: {
        scheduledEventId: scheduledId as never,
        identity,
        requestId: randomUUID(),
        historySizeBytes: 100 as never,
        suggestContinueAsNew: this.history.length >= eventsMax,
      },
    });
    const task = {scheduledId, startedId, seen: this.history.length};
    this.task = task;
    setTimeout(() => this.#timeOut(task), taskSeconds * 1_000).unref();
  }

  /** Undefined: another worker has the task by now. */
  endTask(startedId: number): WorkerTask | undefined {
    const {task} = this;
    if (task?.startedId !== startedId) return undefined;
    this.task = undefined;
    return task;
  }

  #timeOut(task: WorkerTask): void {
    if (this.task !== task || this.isClosed) return;
    this.task = undefined;
    this.add('WORKFLOW_TASK_TIMED_OUT', {
      workflowTaskTimedOutEventAttributes: {
        scheduledEventId: task.scheduledId as never,
        startedEventId: task.startedId as never,
        timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE,
      },
    });
    this.schedule();
  }

  /** Resolves at the next change. */
  async changed(): Promise<void> {
    await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }
}
