// Requests of clients: start, signal, cancel, delete, describe, read the history.
import {status} from '@grpc/grpc-js';
import type {temporal} from '@temporalio/proto';
import type {Execution} from './execution.fixture.ts';
import type {FrontEndState} from './front-end-state.fixture.ts';
import {HistoryEventFilterType, PendingActivityState, WorkflowExecutionStatus} from './proto-values.fixture.ts';
import {notFound, Refused} from './refused.fixture.ts';

type Api = typeof temporal.api.workflowservice.v1;
/** By method. */
export type Requests = {
  [Name in keyof Api as Name extends `${infer Method}Request` ? Method : never]: Api[Name] extends {
    prototype: infer Request;
  }
    ? Request
    : never;
};

/** Until an execution that was deleted is gone. */
const removeMs = 50;

/** Resolves when the caller is gone, or has waited long enough. */
export interface CallEnd {
  readonly ended: Promise<void>;
}

export function clientMethods(state: FrontEndState) {
  const openOf = (named: temporal.api.common.v1.IWorkflowExecution | null | undefined): Execution => {
    const execution = state.find(named?.workflowId, named?.runId);
    if (execution === undefined || execution.isClosed) throw notFound();
    return execution;
  };
  return {
    ...serverMethods,
    ...readingMethods(state),
    StartWorkflowExecution(request: Requests['StartWorkflowExecution']) {
      const {workflowId, namespace, workflowType, taskQueue, input} = request;
      if (state.find(workflowId)?.isClosed === false)
        throw new Refused(status.ALREADY_EXISTS, 'Workflow execution already started');
      const {runId} = state.start({
        workflowId,
        namespace,
        type: workflowType ?? {},
        queue: taskQueue?.name ?? '',
        input,
      });
      return {runId, started: true};
    },
    SignalWorkflowExecution(request: Requests['SignalWorkflowExecution']) {
      const {workflowExecution, signalName, input = null, identity} = request;
      const execution = openOf(workflowExecution);
      execution.add('WORKFLOW_EXECUTION_SIGNALED', {
        workflowExecutionSignaledEventAttributes: {signalName, input, identity, header: {}},
      });
      execution.schedule();
      return {};
    },
    // As the server does it: later.
    DeleteWorkflowExecution({workflowExecution: named}: Requests['DeleteWorkflowExecution']) {
      const execution = state.find(named?.workflowId, named?.runId);
      if (execution === undefined) throw notFound();
      setTimeout(() => state.remove(execution), removeMs).unref();
      return {};
    },
    RequestCancelWorkflowExecution(request: Requests['RequestCancelWorkflowExecution']) {
      const execution = openOf(request.workflowExecution);
      execution.add('WORKFLOW_EXECUTION_CANCEL_REQUESTED', {
        workflowExecutionCancelRequestedEventAttributes: {cause: request.reason, identity: request.identity},
      });
      execution.schedule();
      return {};
    },
  };
}

const serverMethods = {
  GetSystemInfo: () => ({
    serverVersion: '1.29.0',
    capabilities: {
      signalAndQueryHeader: true,
      internalErrorDifferentiation: true,
      activityFailureIncludeHeartbeat: true,
      encodedFailureAttributes: true,
      sdkMetadata: true,
    },
  }),
  DescribeNamespace: ({namespace}: Requests['DescribeNamespace']) => ({
    namespaceInfo: {name: namespace, state: 1, id: namespace},
    config: {},
    replicationConfig: {},
  }),
};

function readingMethods(state: FrontEndState) {
  return {
    DescribeWorkflowExecution({execution: named}: Requests['DescribeWorkflowExecution']) {
      const execution = state.find(named?.workflowId, named?.runId);
      if (execution === undefined) throw notFound();
      return descriptionOf(execution);
    },
    async GetWorkflowExecutionHistory(request: Requests['GetWorkflowExecutionHistory'], {ended}: CallEnd) {
      const {execution: named, waitNewEvent, historyEventFilterType} = request;
      const execution = state.find(named?.workflowId, named?.runId);
      if (execution === undefined) throw notFound();
      if (waitNewEvent) await untilClosed(execution, ended);
      const onlyClose = historyEventFilterType === HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;
      return {history: {events: onlyClose ? execution.history.slice(-1) : execution.history}};
    },
  };
}

async function untilClosed(execution: Execution, ended: Promise<void>): Promise<void> {
  let isOver = false;
  while (!execution.isClosed && !isOver)
    isOver = await Promise.race([execution.changed().then(() => false), ended.then(() => true)]);
}

function descriptionOf({start, runId, history, memo, status: state, isClosed, activities}: Execution) {
  const [{eventTime = null} = {}] = history;
  return {
    workflowExecutionInfo: {
      execution: {workflowId: start.workflowId, runId},
      type: start.type,
      status: state ?? WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED,
      historyLength: history.length,
      taskQueue: start.queue,
      startTime: eventTime,
      executionTime: eventTime,
      ...(isClosed && {closeTime: history.at(-1)?.eventTime ?? null}),
      memo: {fields: memo},
      searchAttributes: {},
    },
    pendingActivities: [...activities.values()].map(({attributes, attempt, isStarted, isCancelRequested}) => ({
      activityId: attributes.activityId,
      activityType: attributes.activityType,
      attempt,
      state: !isStarted
        ? PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
        : isCancelRequested
          ? PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED
          : PendingActivityState.PENDING_ACTIVITY_STATE_STARTED,
    })),
  };
}
