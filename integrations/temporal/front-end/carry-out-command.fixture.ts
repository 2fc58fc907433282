// What a workflow commands at the end of a workflow task.
import type {temporal} from '@temporalio/proto';
import {ActivityRun} from './activity-run.fixture.ts';
import type {Execution, ExecutionStart} from './execution.fixture.ts';
import {CommandType, millisecondsOf, type Command} from './proto-values.fixture.ts';

/** `completedId`: the event that completed the task. */
export function carryOutCommand(
  execution: Execution,
  command: Command,
  {completedId, continueAs}: {readonly completedId: number; continueAs(start: ExecutionStart): string},
): void {
  const ids = {workflowTaskCompletedEventId: completedId as never};
  switch (command.commandType) {
    case CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK:
      return scheduleActivity(execution, command.scheduleActivityTaskCommandAttributes ?? {}, ids);
    case CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK:
      return cancelActivity(
        execution,
        Number(command.requestCancelActivityTaskCommandAttributes?.scheduledEventId),
        ids,
      );
    case CommandType.COMMAND_TYPE_START_TIMER:
      return startTimer(execution, command.startTimerCommandAttributes ?? {}, ids);
    case CommandType.COMMAND_TYPE_CANCEL_TIMER:
      return cancelTimer(execution, command.cancelTimerCommandAttributes?.timerId ?? '', ids);
    case CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES:
      return modifyMemo(execution, command.modifyWorkflowPropertiesCommandAttributes?.upsertedMemo, ids);
    case CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION: {
      const {result = null} = command.completeWorkflowExecutionCommandAttributes ?? {};
      execution.add('WORKFLOW_EXECUTION_COMPLETED', {workflowExecutionCompletedEventAttributes: {...ids, result}});
      return execution.close('WORKFLOW_EXECUTION_STATUS_COMPLETED');
    }
    case CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION: {
      const {failure = null} = command.failWorkflowExecutionCommandAttributes ?? {};
      execution.add('WORKFLOW_EXECUTION_FAILED', {workflowExecutionFailedEventAttributes: {...ids, failure}});
      return execution.close('WORKFLOW_EXECUTION_STATUS_FAILED');
    }
    case CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION:
      execution.add('WORKFLOW_EXECUTION_CANCELED', {workflowExecutionCanceledEventAttributes: {...ids}});
      return execution.close('WORKFLOW_EXECUTION_STATUS_CANCELED');
    case CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION: {
      const {input, workflowType, taskQueue} = command.continueAsNewWorkflowExecutionCommandAttributes ?? {};
      const newExecutionRunId = continueAs({
        ...execution.start,
        type: workflowType ?? execution.start.type,
        queue: taskQueue?.name ?? execution.start.queue,
        input,
        memo: execution.memo,
        continuedFrom: execution.runId,
      });
      execution.add('WORKFLOW_EXECUTION_CONTINUED_AS_NEW', {
        workflowExecutionContinuedAsNewEventAttributes: {...ids, newExecutionRunId, input: input ?? null},
      });
      return execution.close('WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW');
    }
    default:
      throw new Error(`the front end has no command ${command.commandType}`);
  }
}

interface TaskIds {
  readonly workflowTaskCompletedEventId: never;
}

function scheduleActivity(
  execution: Execution,
  attributes: temporal.api.command.v1.IScheduleActivityTaskCommandAttributes,
  ids: TaskIds,
): void {
  const {requestEagerExecution: _eager, useWorkflowBuildId: _build, ...scheduled} = attributes;
  const id = execution.add('ACTIVITY_TASK_SCHEDULED', {
    activityTaskScheduledEventAttributes: {...scheduled, ...ids},
  });
  new ActivityRun(execution, attributes, id);
}

function cancelActivity(execution: Execution, scheduledId: number, ids: TaskIds): void {
  execution.add('ACTIVITY_TASK_CANCEL_REQUESTED', {
    activityTaskCancelRequestedEventAttributes: {...ids, scheduledEventId: scheduledId as never},
  });
  execution.activities.get(scheduledId)?.requestCancel();
}

function startTimer(
  execution: Execution,
  {timerId = '', startToFireTimeout}: temporal.api.command.v1.IStartTimerCommandAttributes,
  ids: TaskIds,
): void {
  const id = timerId ?? '';
  const startedId = execution.add('TIMER_STARTED', {
    timerStartedEventAttributes: {...ids, timerId: id, startToFireTimeout: startToFireTimeout ?? null},
  });
  const handle = setTimeout(() => {
    execution.timers.delete(id);
    execution.add('TIMER_FIRED', {timerFiredEventAttributes: {timerId: id, startedEventId: startedId as never}});
    execution.schedule();
  }, millisecondsOf(startToFireTimeout)).unref();
  execution.timers.set(id, {handle, startedId});
}

function cancelTimer(execution: Execution, timerId: string, ids: TaskIds): void {
  const timer = execution.timers.get(timerId);
  clearTimeout(timer?.handle);
  execution.timers.delete(timerId);
  execution.add('TIMER_CANCELED', {
    timerCanceledEventAttributes: {...ids, timerId, startedEventId: (timer?.startedId ?? 0) as never},
  });
}

function modifyMemo(
  execution: Execution,
  upsertedMemo: temporal.api.common.v1.IMemo | null | undefined,
  ids: TaskIds,
): void {
  execution.add('WORKFLOW_PROPERTIES_MODIFIED', {
    workflowPropertiesModifiedEventAttributes: {...ids, upsertedMemo: upsertedMemo ?? null},
  });
  for (const [name, value] of Object.entries(upsertedMemo?.fields ?? {})) {
    // A server removes what is null.
    if (Buffer.from(value.metadata?.['encoding'] ?? []).toString() === 'binary/null') delete execution.memo[name];
    else execution.memo[name] = value;
  }
}
