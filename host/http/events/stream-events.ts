// Streams events and tool changes for a client's EventSource. A stream has no queue: it reads from the log at its client's pace,
// so a slow client costs no memory.
import type {KernelRuntime, ToolsChanged} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {EventFeed} from './event-feed.ts';

export interface EventStreamOptions {
  readonly runtime: Pick<KernelRuntime, 'events'>;
  readonly feed: EventFeed;
  /** Sends events after this seq, then all new events. */
  readonly afterSeq: number;
  isWanted(event: KernelEvent | ToolsChanged): boolean;
  /** Called before each read of the log; false ends the stream. */
  isStillAllowed(): boolean;
  /** In milliseconds. */
  monotonic(): number;
  /** Any of them ends the stream. */
  readonly signals: readonly AbortSignal[];
}

const eventsAtOnce = 256;
/** Interval between keep-alive messages, which reveal a lost connection to both ends. */
const heartbeatMs = 15_000;

/** Yields text in the format of server-sent events. The first text is sent immediately. */
export async function* streamEvents(options: EventStreamOptions): AsyncGenerator<string> {
  const {runtime, feed, signals, monotonic} = options;
  let {afterSeq} = options;
  let sentChange = feed.toolsChanged();
  let sentMs = monotonic();
  yield 'retry: 1000\n\n';
  while (!signals.some((signal) => signal.aborted) && options.isStillAllowed()) {
    const events =
      feed.lastSeq() > afterSeq ? await runtime.events.read({after_seq: afterSeq, limit: eventsAtOnce}) : [];
    afterSeq = events.at(-1)?.seq ?? afterSeq;
    const change = feed.toolsChanged();
    const changes = change === undefined || change === sentChange ? [] : [change];
    sentChange = change;
    const text = [...events, ...changes]
      .filter((event) => options.isWanted(event))
      .map(formatEvent)
      .join('');
    if (text !== '' || monotonic() - sentMs >= heartbeatMs) {
      sentMs = monotonic();
      yield text === '' ? ': still here\n\n' : text;
    }
    if (feed.lastSeq() <= afterSeq && feed.toolsChanged() === sentChange) await feed.wait(signals);
  }
}

/** Events in the log have an id to resume after. A change of tools concerns only this process and has none. */
function formatEvent(event: KernelEvent | ToolsChanged): string {
  const id = 'seq' in event ? `id: ${event.seq}\n` : '';
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
