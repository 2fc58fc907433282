// Values of protocol buffers, and what the front end counts in.
import proto from '@temporalio/proto';
import type {google, temporal} from '@temporalio/proto';

export type History = temporal.api.history.v1.IHistoryEvent[];
export type Attributes = Omit<temporal.api.history.v1.IHistoryEvent, 'eventId' | 'eventTime' | 'eventType'>;
export type Command = temporal.api.command.v1.ICommand;
export type Payloads = temporal.api.common.v1.IPayloads;
export type ActivityAttributes = temporal.api.command.v1.IScheduleActivityTaskCommandAttributes;
export type Failure = temporal.api.failure.v1.IFailure;

export const {
  HistoryEventFilterType,
  EventType,
  CommandType,
  WorkflowExecutionStatus,
  PendingActivityState,
  TimeoutType,
  RetryState,
} = proto.temporal.api.enums.v1;

export function now(): google.protobuf.ITimestamp {
  const ms = Date.now();
  return {seconds: Math.floor(ms / 1_000) as never, nanos: (ms % 1_000) * 1_000_000};
}

export function millisecondsOf(duration: google.protobuf.IDuration | null | undefined): number {
  return Number(duration?.seconds ?? 0) * 1_000 + (duration?.nanos ?? 0) / 1_000_000;
}
