// What a workflow commands at the end of a workflow task.
import {ActivityRun} from './activity-run.fixture.ts';
import type {Execution, ExecutionStart} from './execution.fixture.ts';
import {CommandType, millisecondsOf, type Command} from './proto-values.fixture.ts';

interface TaskEnd {
  /** The event that completed the task. */
  readonly completedId: number;
  /** Returns the id of the new execution. */
  continueAs(start: ExecutionStart): string;
}

type CarryOut = (execution: Execution, command: Command, ids: TaskIds, end: TaskEnd) => void;

export function carryOutCommand(execution: Execution, command: Command, end: TaskEnd): void {
  const carryOut = commands.get(command.commandType ?? CommandType.COMMAND_TYPE_UNSPECIFIED);
  if (carryOut === undefined) throw new Error(`the front end has no command ${command.commandType}`);
  carryOut(execution, command, {workflowTaskCompletedEventId: end.completedId as never}, end);
}

const commands: ReadonlyMap<number, CarryOut> = new Map<number, CarryOut>([
  [CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK, scheduleActivity],
  [CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK, cancelActivity],
  [CommandType.COMMAND_TYPE_START_TIMER, startTimer],
  [CommandType.COMMAND_TYPE_CANCEL_TIMER, cancelTimer],
  [CommandType.COMMAND_TYPE_MODIFY_WORKFLOW_PROPERTIES, modifyMemo],
  [CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION, complete],
  [CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION, fail],
  [CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION, cancel],
  [CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION, continueAsNew],
]);

interface TaskIds {
  readonly workflowTaskCompletedEventId: never;
}

function complete(execution: Execution, command: Command, ids: TaskIds): void {
  const {result = null} = command.completeWorkflowExecutionCommandAttributes ?? {};
  execution.add('WORKFLOW_EXECUTION_COMPLETED', {workflowExecutionCompletedEventAttributes: {...ids, result}});
  execution.close('WORKFLOW_EXECUTION_STATUS_COMPLETED');
}

function fail(execution: Execution, command: Command, ids: TaskIds): void {
  const {failure = null} = command.failWorkflowExecutionCommandAttributes ?? {};
  execution.add('WORKFLOW_EXECUTION_FAILED', {workflowExecutionFailedEventAttributes: {...ids, failure}});
  execution.close('WORKFLOW_EXECUTION_STATUS_FAILED');
}

function cancel(execution: Execution, _command: Command, ids: TaskIds): void {
  execution.add('WORKFLOW_EXECUTION_CANCELED', {workflowExecutionCanceledEventAttributes: {...ids}});
  execution.close('WORKFLOW_EXECUTION_STATUS_CANCELED');
}

function continueAsNew(execution: Execution, command: Command, ids: TaskIds, {continueAs}: TaskEnd): void {
  const {input = null, workflowType, taskQueue} = command.continueAsNewWorkflowExecutionCommandAttributes ?? {};
  const newExecutionRunId = continueAs({
    ...execution.start,
    type: workflowType ?? execution.start.type,
    // Empty: the same.
    queue: taskQueue?.name || execution.start.queue,
    input,
    memo: execution.memo,
    continuedFrom: execution.runId,
  });
  execution.add('WORKFLOW_EXECUTION_CONTINUED_AS_NEW', {
    workflowExecutionContinuedAsNewEventAttributes: {...ids, newExecutionRunId, input},
  });
  execution.close('WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW');
}

function scheduleActivity(execution: Execution, command: Command, ids: TaskIds): void {
  const attributes = command.scheduleActivityTaskCommandAttributes ?? {};
  const {requestEagerExecution: _eager, useWorkflowBuildId: _build, ...scheduled} = attributes;
  const id = execution.add('ACTIVITY_TASK_SCHEDULED', {
    activityTaskScheduledEventAttributes: {...scheduled, ...ids},
  });
  execution.activities.set(id, ActivityRun.schedule(execution, attributes, id));
}

function cancelActivity(execution: Execution, command: Command, ids: TaskIds): void {
  const scheduledId = Number(command.requestCancelActivityTaskCommandAttributes?.scheduledEventId);
  execution.add('ACTIVITY_TASK_CANCEL_REQUESTED', {
    activityTaskCancelRequestedEventAttributes: {...ids, scheduledEventId: scheduledId as never},
  });
  execution.activities.get(scheduledId)?.requestCancel();
}

function startTimer(execution: Execution, command: Command, ids: TaskIds): void {
  const {timerId, startToFireTimeout} = command.startTimerCommandAttributes ?? {};
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

function cancelTimer(execution: Execution, command: Command, ids: TaskIds): void {
  const timerId = command.cancelTimerCommandAttributes?.timerId ?? '';
  const timer = execution.timers.get(timerId);
  clearTimeout(timer?.handle);
  execution.timers.delete(timerId);
  execution.add('TIMER_CANCELED', {
    timerCanceledEventAttributes: {...ids, timerId, startedEventId: (timer?.startedId ?? 0) as never},
  });
}

function modifyMemo(execution: Execution, command: Command, ids: TaskIds): void {
  const {upsertedMemo} = command.modifyWorkflowPropertiesCommandAttributes ?? {};
  execution.add('WORKFLOW_PROPERTIES_MODIFIED', {
    workflowPropertiesModifiedEventAttributes: {...ids, upsertedMemo: upsertedMemo ?? null},
  });
  for (const [name, value] of Object.entries(upsertedMemo?.fields ?? {})) {
    // A server removes what is null.
    if (Buffer.from(value.metadata?.['encoding'] ?? []).toString() === 'binary/null') delete execution.memo[name];
    else execution.memo[name] = value;
  }
}
