// Requests of workers: long polls for tasks, and what became of them.
import type {CallEnd, Requests} from './client-methods.fixture.ts';
import {carryOutCommand} from './carry-out-command.fixture.ts';
import type {Execution} from './execution.fixture.ts';
import type {FrontEndState} from './front-end-state.fixture.ts';
import {now} from './proto-values.fixture.ts';
import {notFound} from './refused.fixture.ts';

export function workerMethods(state: FrontEndState) {
  return {
    async PollWorkflowTaskQueue({taskQueue, identity}: Requests['PollWorkflowTaskQueue'], {ended}: CallEnd) {
      const task = await state.queuesOf(taskQueue?.name ?? '').workflows.poll(ended);
      if (task === undefined || task.execution.isClosed) return {};
      task.execution.beginTask(task.scheduledId, identity);
      return workflowTaskOf(task.execution);
    },
    RespondWorkflowTaskCompleted(request: Requests['RespondWorkflowTaskCompleted']) {
      const {taskToken, commands, identity, sdkMetadata = null, meteringMetadata = null} = request;
      const execution = state.find('', Buffer.from(taskToken).toString());
      const task = execution?.task;
      if (execution === undefined || task === undefined) throw notFound();
      const isBehind = execution.history.length > task.seen;
      execution.task = undefined;
      execution.previousStartedId = task.startedId;
      const completedId = execution.add('WORKFLOW_TASK_COMPLETED', {
        workflowTaskCompletedEventAttributes: {
          scheduledEventId: task.scheduledId as never,
          startedEventId: task.startedId as never,
          identity,
          sdkMetadata,
          meteringMetadata,
        },
      });
      const continueAs = (start: Execution['start']): string => state.start(start).runId;
      for (const command of commands) carryOutCommand(execution, command, {completedId, continueAs});
      if (isBehind) execution.schedule();
      return {};
    },
    RespondWorkflowTaskFailed({taskToken, failure}: Requests['RespondWorkflowTaskFailed']) {
      const execution = state.find('', Buffer.from(taskToken).toString());
      // A server repeats the task; in tests, it is a defect of the workflow.
      execution?.add('WORKFLOW_EXECUTION_FAILED', {
        workflowExecutionFailedEventAttributes: {failure: failure ?? null},
      });
      execution?.close('WORKFLOW_EXECUTION_STATUS_FAILED');
      return {};
    },
    async PollActivityTaskQueue({taskQueue, identity}: Requests['PollActivityTaskQueue'], {ended}: CallEnd) {
      for (;;) {
        const activity = await state.queuesOf(taskQueue?.name ?? '').activities.poll(ended);
        if (activity === undefined) return {};
        if (!activity.begin(identity)) continue;
        const {execution, attributes, attempt, token: taskToken, scheduledAt} = activity;
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
    },
    RecordActivityTaskHeartbeat({taskToken}: Requests['RecordActivityTaskHeartbeat']) {
      const activity = state.activity(taskToken);
      if (activity === undefined) throw notFound();
      activity.beat();
      return {cancelRequested: activity.isCancelRequested};
    },
    RespondActivityTaskCompleted({taskToken, result}: Requests['RespondActivityTaskCompleted']) {
      const activity = state.activity(taskToken);
      if (activity === undefined) throw notFound();
      activity.complete(result);
      return {};
    },
    RespondActivityTaskFailed({taskToken, failure}: Requests['RespondActivityTaskFailed']) {
      const activity = state.activity(taskToken);
      if (activity === undefined) throw notFound();
      activity.fail(failure);
      return {};
    },
    RespondActivityTaskCanceled({taskToken}: Requests['RespondActivityTaskCanceled']) {
      const activity = state.activity(taskToken);
      if (activity === undefined) throw notFound();
      activity.cancelled();
      return {};
    },
    ShutdownWorker: () => ({}),
  };
}

function workflowTaskOf({start, runId, task, history, previousStartedId}: Execution) {
  return {
    taskToken: Buffer.from(runId),
    workflowExecution: {workflowId: start.workflowId, runId},
    workflowType: start.type,
    workflowExecutionTaskQueue: {name: start.queue, kind: 1},
    previousStartedEventId: previousStartedId,
    startedEventId: task?.startedId ?? 0,
    attempt: 1,
    history: {events: history},
    scheduledTime: now(),
    startedTime: now(),
    backlogCountHint: 0,
  };
}
