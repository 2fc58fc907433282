// Requests of workers for activities: long polls, heartbeats, and how attempts ended.
import type {ActivityRun} from './activity-run.fixture.ts';
import type {CallEnd, Requests} from './client-methods.fixture.ts';
import type {FrontEndState} from './front-end-state.fixture.ts';
import {now} from './proto-values.fixture.ts';
import {notFound} from './refused.fixture.ts';

export function activityMethods(state: FrontEndState) {
  const activityOf = (token: Uint8Array | null | undefined): ActivityRun => {
    const activity = state.activity(token);
    if (activity === undefined) throw notFound();
    return activity;
  };
  return {
    async PollActivityTaskQueue({taskQueue, identity}: Requests['PollActivityTaskQueue'], {ended}: CallEnd) {
      for (;;) {
        const activity = await state.queuesOf(taskQueue?.name ?? '').activities.poll(ended);
        if (activity === undefined) return {};
        if (!activity.begin(identity)) continue;
        return activityTaskOf(activity);
      }
    },
    RecordActivityTaskHeartbeat({taskToken}: Requests['RecordActivityTaskHeartbeat']) {
      const activity = activityOf(taskToken);
      activity.beat();
      return {cancelRequested: activity.isCancelRequested};
    },
    RespondActivityTaskCompleted({taskToken, result}: Requests['RespondActivityTaskCompleted']) {
      const activity = activityOf(taskToken);
      activity.complete(result);
      return {};
    },
    RespondActivityTaskFailed({taskToken, failure}: Requests['RespondActivityTaskFailed']) {
      const activity = activityOf(taskToken);
      activity.fail(failure);
      return {};
    },
    RespondActivityTaskCanceled({taskToken}: Requests['RespondActivityTaskCanceled']) {
      const activity = activityOf(taskToken);
      activity.cancelled();
      return {};
    },
  };
}

function activityTaskOf({execution, attributes, attempt, token: taskToken, scheduledAt}: ActivityRun) {
  return {
    taskToken,
    workflowNamespace: execution.start.namespace,
    workflowType: execution.start.type,
    workflowExecution: {workflowId: execution.start.workflowId, runId: execution.runId},
    activityType: attributes.activityType,
    activityId: attributes.activityId,
    header: attributes.header,
    input: attributes.input,
    attempt,
    scheduledTime: scheduledAt,
    startedTime: now(),
    currentAttemptScheduledTime: now(),
    // The SDK requires these to be present.
    scheduleToCloseTimeout: attributes.scheduleToCloseTimeout ?? {},
    startToCloseTimeout: attributes.startToCloseTimeout ?? {},
    heartbeatTimeout: attributes.heartbeatTimeout ?? {},
    retryPolicy: attributes.retryPolicy,
  };
}
