// Events, and changes of the tools, as a client's EventSource reads them. A stream holds no queue: it reads on from the log as fast as its client
// takes what it reads, so a slow one costs no memory.
import type {KernelRuntime, ToolsChanged} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {EventFeed} from './event-feed.ts';

export interface EventStreamOptions {
  readonly runtime: Pick<KernelRuntime, 'events'>;
  readonly feed: EventFeed;
  /** Events after this seq, then all that come. */
  readonly afterSeq: number;
  isWanted(event: KernelEvent | ToolsChanged): boolean;
  /** Asked before each look at the log; false ends the stream. */
  isStillAllowed(): boolean;
  /** In milliseconds. */
  monotonic(): number;
  /** Any of them ends the stream. */
  readonly signals: readonly AbortSignal[];
}

const eventsAtOnce = 256;
/** Other processes' events wake nobody here, so the log is looked at this often. */
const pollMs = 1_000;
/** Something is sent this often, so that both ends learn when the other is gone. */
const heartbeatMs = 15_000;

/** Text in the format of server-sent events; the first of it at once. */
export async function* streamEvents(options: EventStreamOptions): AsyncGenerator<string> {
  const {runtime, feed, signals, monotonic} = options;
  let {afterSeq} = options;
  let toldOf = feed.toolsChanged();
  let sentMs = monotonic();
  yield 'retry: 1000\n\n';
  while (!signals.some((signal) => signal.aborted) && options.isStillAllowed()) {
    const events = runtime.events.read({after_seq: afterSeq, limit: eventsAtOnce});
    afterSeq = events.at(-1)?.seq ?? afterSeq;
    const change = feed.toolsChanged();
    const changes = change === undefined || change === toldOf ? [] : [change];
    toldOf = change;
    const text = [...events, ...changes]
      .filter((event) => options.isWanted(event))
      .map(formatEvent)
      .join('');
    if (text !== '' || monotonic() - sentMs >= heartbeatMs) {
      sentMs = monotonic();
      yield text === '' ? ': still here\n\n' : text;
    }
    if (feed.lastSeq() <= afterSeq && feed.toolsChanged() === toldOf) await feed.wait(pollMs, signals);
  }
}

/** What stands in the log has an id to go on after; that tools changed is true of this process alone. */
function formatEvent(event: KernelEvent | ToolsChanged): string {
  const id = 'seq' in event ? `id: ${event.seq}\n` : '';
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
