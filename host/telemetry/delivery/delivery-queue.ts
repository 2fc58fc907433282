// Delivers items in batches to a receiver elsewhere. A call never waits for it: at its bound the queue drops the newest item, and counts it.
import {setTimeout as sleep} from 'node:timers/promises';

export interface DeliveryCounters {
  readonly queued: number;
  readonly delivered: number;
  readonly dropped: number;
  /** Attempts that failed. Their items are delivered again. */
  readonly failed: number;
}

export interface DeliveryQueue<Item> {
  add(item: Item): void;
  counters(): DeliveryCounters;
  /** Delivers what is queued, for at most so long. What then remains counts as dropped. */
  close(timeoutMs: number): Promise<void>;
}

/** The receiver accepted a batch with a remark: it rejected some items for good, or none and only warns. */
export interface PartialDelivery {
  readonly rejected: number;
  /** One line of the receiver. */
  readonly remark: string;
}

type Delivered = 'delivered' | 'rejected' | PartialDelivery;

/** `rejected`: the receiver never accepts these items, so that a repetition is useless. Throws if it may accept them later. */
export type Deliver<Item> = (items: readonly Item[], signal: AbortSignal) => Promise<Delivered>;

export interface DeliveryOptions<Item> {
  deliver: Deliver<Item>;
  /** Called when deliveries begin to fail or to be partial, when items begin to be dropped, and when the receiver is back. */
  onChange(change: DeliveryChange): void;
  /** Default 8,192 items. */
  readonly capacity?: number;
  /** Default 512 items. */
  readonly batch?: number;
  /** How long an item waits for others; default 1,000 ms. */
  readonly delayMs?: number;
  /** Between two attempts, doubled up to 30 s; default 500 ms. */
  readonly retryMs?: number;
}

export type DeliveryChange =
  | {readonly state: 'failing'; readonly error: unknown}
  | {readonly state: 'dropping'}
  | ({readonly state: 'partial'} & PartialDelivery)
  | {readonly state: 'working'; readonly dropped: number};

const retryMaxMs = 30_000;

export function createDeliveryQueue<Item>(options: DeliveryOptions<Item>): DeliveryQueue<Item> {
  const {deliver, onChange, capacity = 8_192, batch = 512, delayMs = 1_000, retryMs = 500} = options;
  const items: Item[] = [];
  const [ending, closing] = [new AbortController(), new AbortController()];
  let [delivered, dropped, failed, state]: [number, number, number, DeliveryChange['state']] = [0, 0, 0, 'working'];
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;

  function become(change: DeliveryChange): void {
    const isNew = change.state !== state;
    state = change.state;
    if (isNew) onChange(change);
  }

  function settle(count: number, result: Delivered): void {
    const lost = lostOf(count, result);
    delivered += count - lost;
    dropped += lost;
    become(changeBy(result, dropped));
  }

  /** Attempts the same batch until it is accepted or rejected, or the queue was closed for too long. */
  async function deliverBatch(): Promise<void> {
    for (let waitMs = retryMs; !ending.signal.aborted; waitMs = Math.min(2 * waitMs, retryMaxMs)) {
      const sent = items.slice(0, batch);
      try {
        const result = await deliver(sent, ending.signal);
        settle(items.splice(0, sent.length).length, result);
        return;
      } catch (error) {
        failed += 1;
        if (state !== 'dropping' && !ending.signal.aborted) become({state: 'failing', error});
      }
      // Closing ends the wait, because there is little time left. From then on, attempts are quick.
      const [pauseMs, signal] = closing.signal.aborted ? [retryMs, ending.signal] : [waitMs, closing.signal];
      await sleep(pauseMs, undefined, {signal}).catch(() => undefined);
    }
  }

  async function deliverQueued(): Promise<void> {
    while (items.length > 0 && !ending.signal.aborted) await deliverBatch();
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    work ??= deliverQueued().finally(() => (work = undefined));
  }

  return {
    add(item) {
      if (items.length >= capacity || ending.signal.aborted) return settle(1, 'rejected');
      items.push(item);
      if (items.length >= batch) start();
      else timer ??= setTimeout(start, delayMs).unref();
    },
    counters: () => ({queued: items.length, delivered, dropped, failed}),
    async close(timeoutMs) {
      closing.abort();
      const end = setTimeout(() => ending.abort(), timeoutMs);
      start();
      await Promise.race([work, aborted(ending.signal)]);
      clearTimeout(end);
      ending.abort();
      if (items.length > 0) settle(items.splice(0).length, 'rejected');
    },
  };
}

function lostOf(count: number, result: Delivered): number {
  // A receiver may count in smaller units, such as data points of a metric.
  if (typeof result === 'object') return Math.min(result.rejected, count);
  return result === 'rejected' ? count : 0;
}

function changeBy(result: Delivered, dropped: number): DeliveryChange {
  if (typeof result === 'object') return {state: 'partial', ...result};
  return result === 'delivered' ? {state: 'working', dropped} : {state: 'dropping'};
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), {once: true}));
}
