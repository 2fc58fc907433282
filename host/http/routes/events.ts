// The live feed of events, for EventSource: a client that comes back names the last one it has, and misses none.
import type {ToolsChanged} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import {streamEvents} from '../events/stream-events.ts';
import {refuse, Verbatim, type Reply} from '../reply.ts';
import type {Route, RouteOf} from '../route.ts';

interface EventQuery {
  /** Events after this one; default: those that come from now on. `Last-Event-ID` goes first. */
  readonly after_seq?: number;
  readonly types?: readonly string[];
  readonly task_id?: string;
}

const streamsMax = 100;

function createStream(): RouteOf<EventQuery, unknown> {
  let open = 0;
  return {
    method: 'GET',
    path: '/v1/events',
    role: 'operator',
    query: {
      type: 'object',
      properties: {
        after_seq: {type: 'integer', minimum: 0},
        types: {type: 'array', items: {type: 'string', maxLength: 64}, maxItems: 32},
        task_id: {type: 'string', maxLength: 128},
      },
      additionalProperties: false,
    },
    handle({runtime, feed, headers, query, signal, closing, isStillAllowed}): Reply {
      const lastEventId = headers.get('last-event-id') ?? undefined;
      if (lastEventId !== undefined && !/^\d{1,15}$/.test(lastEventId)) {
        return refuse('INVALID_INPUT', `\`Last-Event-ID\` is the seq of an event, not \`${lastEventId.slice(0, 40)}\``);
      }
      if (open >= streamsMax) return refuse('LIMIT_EXCEEDED', `there are ${streamsMax} streams of events open already`);
      const chunks = streamEvents({
        runtime,
        feed,
        isStillAllowed,
        monotonic: () => performance.now(),
        signals: [signal, closing],
        afterSeq: lastEventId === undefined ? (query.after_seq ?? feed.lastSeq()) : Number(lastEventId),
        isWanted: (event) => isWanted(event, query),
      });
      const content = toStream(counted(chunks));
      return {status: 200, headers: {'content-type': 'text/event-stream'}, body: new Verbatim(content)};
    },
  };

  /** A stream that nobody begins to read never counts. */
  async function* counted(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
    open += 1;
    try {
      yield* chunks;
    } finally {
      open -= 1;
    }
  }
}

function isWanted(event: KernelEvent | ToolsChanged, {types, task_id}: EventQuery): boolean {
  if (types && !types.includes(event.type)) return false;
  return task_id === undefined || ('task_id' in event && event.task_id === task_id);
}

/** Reads on only when the client took what there was. */
function toStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const {done, value} = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    {highWaterMark: 0},
  );
}

export function createEventRoutes(): readonly Route[] {
  return [createStream()];
}
