// Events as a client's EventSource reads them. A stream holds no queue: it reads on from the log as fast as its client
// takes what it reads, so a slow one costs no memory.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {EventFeed} from './event-feed.ts';

export interface EventStreamOptions {
  readonly runtime: KernelRuntime;
  readonly feed: EventFeed;
  /** Events after this seq, then all that come. */
  readonly afterSeq: number;
  isWanted(event: KernelEvent): boolean;
  /** Asked whenever there was a pause; false ends the stream. */
  isStillAllowed(): boolean;
  /** Any of them ends the stream. */
  readonly signals: readonly AbortSignal[];
}

const eventsAtOnce = 256;
/** Other processes' events wake nobody here, so the log is looked at this often. */
const pollMs = 1_000;
const pollsPerHeartbeat = 15;

/** Text in the format of server-sent events; the first of it at once. */
export async function* streamEvents(options: EventStreamOptions): AsyncGenerator<string> {
  const {runtime, feed, signals} = options;
  let {afterSeq} = options;
  let idlePolls = 0;
  yield 'retry: 1000\n\n';
  while (!signals.some((signal) => signal.aborted)) {
    const events = runtime.events.read({after_seq: afterSeq, limit: eventsAtOnce});
    afterSeq = events.at(-1)?.seq ?? afterSeq;
    const text = events
      .filter((event) => options.isWanted(event))
      .map(formatEvent)
      .join('');
    if (text !== '') yield text;
    if (events.length > 0) continue;
    idlePolls = (idlePolls + 1) % pollsPerHeartbeat;
    if (idlePolls === 0) yield ': still here\n\n';
    if (feed.lastSeq() <= afterSeq) await feed.wait(pollMs, signals);
    if (!options.isStillAllowed()) return;
  }
}

function formatEvent(event: KernelEvent): string {
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
