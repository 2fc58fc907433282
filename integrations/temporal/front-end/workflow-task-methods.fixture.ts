// Requests of workers for workflow tasks: long polls, and what the workflow commands.
import type {CallEnd, Requests} from './client-methods.fixture.ts';
import {carryOutCommand} from './carry-out-command.fixture.ts';
import type {Execution, WorkerTask} from './execution.fixture.ts';
import type {FrontEndState} from './front-end-state.fixture.ts';
import {now} from './proto-values.fixture.ts';
import {notFound} from './refused.fixture.ts';

export function workflowTaskMethods(state: FrontEndState) {
  const given = (token: Uint8Array): {execution: Execution; task: WorkerTask} => {
    const [runId, startedId] = JSON.parse(Buffer.from(token).toString()) as [string, number];
    const execution = state.find('', runId);
    const task = execution?.endTask(startedId);
    if (execution === undefined || task === undefined) throw notFound();
    return {execution, task};
  };
  return {
    async PollWorkflowTaskQueue({taskQueue, identity}: Requests['PollWorkflowTaskQueue'], {ended}: CallEnd) {
      const task = await state.queuesOf(taskQueue?.name ?? '').workflows.poll(ended);
      if (task === undefined || task.execution.isClosed) return {};
      task.execution.beginTask(task.scheduledId, identity);
      return workflowTaskOf(task.execution);
    },
    RespondWorkflowTaskCompleted(request: Requests['RespondWorkflowTaskCompleted']) {
      const {taskToken, commands, identity, sdkMetadata = null, meteringMetadata = null} = request;
      const {execution, task} = given(taskToken);
      const isBehind = execution.history.length > task.seen;
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
      const {execution} = given(taskToken);
      // A server repeats the task; in tests, it is a defect of the workflow.
      execution.add('WORKFLOW_EXECUTION_FAILED', {
        workflowExecutionFailedEventAttributes: {failure: failure ?? null},
      });
      execution.close('WORKFLOW_EXECUTION_STATUS_FAILED');
      return {};
    },
    ShutdownWorker: () => ({}),
  };
}

function workflowTaskOf({start, runId, task, history, previousStartedId}: Execution) {
  return {
    taskToken: Buffer.from(JSON.stringify([runId, task?.startedId])),
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
