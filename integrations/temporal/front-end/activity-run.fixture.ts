// One activity: its attempts, its retries, its heartbeats and its cancellation.
import type {temporal} from '@temporalio/proto';
import {randomUUID} from 'node:crypto';
import type {TaskQueue} from './task-queue.fixture.ts';
import {
  millisecondsOf,
  now,
  RetryState,
  TimeoutType,
  type ActivityAttributes,
  type Attributes,
  type Failure,
  type Payloads,
} from './proto-values.fixture.ts';

/** The execution that an activity belongs to. */
export interface ActivityOwner {
  readonly runId: string;
  readonly start: {
    readonly workflowId: string;
    readonly namespace: string;
    readonly type: temporal.api.common.v1.IWorkflowType;
  };
  readonly activities: Map<number, ActivityRun>;
  readonly queues: {readonly activities: TaskQueue<ActivityRun>};
  /** Adds an event, and returns its id. */
  add(type: string, attributes: Attributes): number;
  schedule(): void;
}

export class ActivityRun {
  readonly execution: ActivityOwner;
  readonly attributes: ActivityAttributes;
  readonly scheduledId: number;
  readonly scheduledAt: ReturnType<typeof now> = now();
  attempt = 1;
  isStarted = false;
  isCancelRequested = false;
  #isOver = false;
  #identity = '';
  #timer: NodeJS.Timeout | undefined;

  private constructor(execution: ActivityOwner, attributes: ActivityAttributes, scheduledId: number) {
    this.execution = execution;
    this.attributes = attributes;
    this.scheduledId = scheduledId;
  }

  static schedule(execution: ActivityOwner, attributes: ActivityAttributes, scheduledId: number): ActivityRun {
    const activity = new ActivityRun(execution, attributes, scheduledId);
    execution.queues.activities.push(activity);
    return activity;
  }

  /** False: nobody waits for it any more. */
  begin(identity: string): boolean {
    if (this.#isOver) return false;
    this.isStarted = true;
    this.#identity = identity;
    this.beat();
    return true;
  }

  /** Of an attempt: stale ones are refused. */
  get token(): Buffer {
    return Buffer.from(JSON.stringify([this.execution.runId, this.scheduledId, this.attempt]));
  }

  beat(): void {
    clearTimeout(this.#timer);
    const ms = millisecondsOf(this.attributes.heartbeatTimeout);
    if (ms > 0) this.#timer = setTimeout(() => this.#timeOut(), ms).unref();
  }

  complete(result: Payloads | null | undefined): void {
    this.#end('ACTIVITY_TASK_COMPLETED', (ids) => ({
      activityTaskCompletedEventAttributes: {...ids, result: result ?? null},
    }));
  }

  fail(failure: Failure | null | undefined): void {
    const isFinal = failure?.applicationFailureInfo?.nonRetryable === true;
    if (this.#retries(isFinal)) return;
    this.#end('ACTIVITY_TASK_FAILED', (ids) => ({
      activityTaskFailedEventAttributes: {
        ...ids,
        failure: failure ?? null,
        retryState: isFinal
          ? RetryState.RETRY_STATE_NON_RETRYABLE_FAILURE
          : RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED,
      },
    }));
  }

  cancelled(): void {
    this.#end('ACTIVITY_TASK_CANCELED', (ids) => ({activityTaskCanceledEventAttributes: {...ids}}));
  }

  requestCancel(): void {
    this.isCancelRequested = true;
    if (!this.isStarted) this.cancelled();
  }

  drop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #timeOut(): void {
    if (this.isCancelRequested) this.cancelled();
    else if (!this.#retries(false))
      this.#end('ACTIVITY_TASK_TIMED_OUT', (ids) => ({
        activityTaskTimedOutEventAttributes: {
          ...ids,
          failure: {
            message: 'activity Heartbeat timeout',
            timeoutFailureInfo: {timeoutType: TimeoutType.TIMEOUT_TYPE_HEARTBEAT},
          },
          retryState: RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED,
        },
      }));
  }

  #retries(isFinal: boolean): boolean {
    const {maximumAttempts, initialInterval, maximumInterval} = this.attributes.retryPolicy ?? {};
    if (isFinal || this.isCancelRequested || this.attempt >= (maximumAttempts || Infinity)) return false;
    clearTimeout(this.#timer);
    const delay = Math.min(millisecondsOf(maximumInterval), millisecondsOf(initialInterval) * 2 ** (this.attempt - 1));
    this.attempt += 1;
    this.isStarted = false;
    this.#timer = setTimeout(() => this.execution.queues.activities.push(this), delay).unref();
    return true;
  }

  #end(
    type: string,
    attributesOf: (ids: {scheduledEventId: never; startedEventId: never; identity: string}) => Attributes,
  ): void {
    this.drop();
    const {execution, scheduledId} = this;
    if (!execution.activities.delete(scheduledId)) return;
    // An activity that never began has no such event.
    const startedId = this.isStarted
      ? execution.add('ACTIVITY_TASK_STARTED', {
          activityTaskStartedEventAttributes: {
            scheduledEventId: scheduledId as never,
            identity: this.#identity,
            requestId: randomUUID(),
            attempt: this.attempt,
          },
        })
      : 0;
    const ids = {scheduledEventId: scheduledId as never, startedEventId: startedId as never, identity: this.#identity};
    execution.add(type, attributesOf(ids));
    execution.schedule();
  }
}
