// The live feed of events for EventSource. A client that reconnects sends its last event id and misses none.
import {cutText} from '@lumenflow/kernel';
import type {ToolsChanged} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {CallFeed} from '../call-ledger/call-feed.ts';
import {streamCalls} from '../call-ledger/stream-calls.ts';
import {mergeStreams} from '../events/merge-streams.ts';
import {streamEvents} from '../events/stream-events.ts';
import {createStreamSlots} from '../events/stream-slots.ts';
import {toStream} from '../events/to-stream.ts';
import {okReply, refuse, Verbatim, type Reply} from '../reply.ts';
import type {Route, RouteOf} from '../route.ts';

interface EventQuery {
  /** Events after this one; default: only new events. `Last-Event-ID` takes precedence. */
  readonly after_seq?: number;
  readonly types?: readonly string[];
  readonly task_id?: string;
  /** Also sends calls, as `/v1/calls/live` does. */
  readonly calls?: boolean;
}

function createStream(calls: CallFeed): RouteOf<EventQuery, unknown> {
  const slots = createStreamSlots('events');
  return {
    method: 'GET',
    path: '/v1/events',
    summary: 'Streams events as server-sent events',
    role: 'operator',
    query: {
      type: 'object',
      properties: {
        after_seq: {type: 'integer', minimum: 0},
        types: {type: 'array', items: {type: 'string', maxLength: 64}, maxItems: 32},
        task_id: {type: 'string', maxLength: 128},
        calls: {type: 'boolean', description: 'Also sends calls, as `/v1/calls/live` does'},
      },
      additionalProperties: false,
    },
    answers: {200: {contentType: 'text/event-stream', data: 'event.schema.json#/$defs/kernel_event'}},
    refuses: ['LIMIT_EXCEEDED'],
    handle({caller, runtime, feed, headers, query, signal, closing, isStillAllowed}): Reply {
      const lastEventId = headers.get('last-event-id') ?? undefined;
      if (lastEventId !== undefined && !/^\d{1,15}$/.test(lastEventId)) {
        return refuse('INVALID_INPUT', `\`Last-Event-ID\` is the seq of an event, not \`${cutText(lastEventId, 40)}\``);
      }
      const refusal = slots.refuse(caller.name);
      if (refusal) return refusal;
      const common = {feed, isStillAllowed, monotonic: () => performance.now(), signals: [signal, closing]};
      const events = streamEvents({
        ...common,
        runtime,
        afterSeq: lastEventId === undefined ? (query.after_seq ?? feed.lastSeq()) : Number(lastEventId),
        isWanted: (event) => isWanted(event, query),
      });
      const chunks = query.calls === true ? mergeStreams([events, streamCalls({...common, ...calls})]) : events;
      const content = toStream(slots.hold(caller.name, chunks));
      return {status: 200, headers: {'content-type': 'text/event-stream'}, body: new Verbatim(content)};
    },
  };
}

function isWanted(event: KernelEvent | ToolsChanged, {types, task_id}: EventQuery): boolean {
  if (types && !types.includes(event.type)) return false;
  return task_id === undefined || ('task_id' in event && event.task_id === task_id);
}

const listTaskEvents: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/tasks/:id/events',
  summary: 'Lists the events of a task, oldest first',
  role: 'operator',
  answers: {200: 'http_event_list'},
  handle: async ({runtime, param}) => okReply({events: await runtime.events.read({task_id: param('id')})}),
};

export function createEventRoutes(calls: CallFeed): readonly Route[] {
  return [createStream(calls), listTaskEvents];
}
