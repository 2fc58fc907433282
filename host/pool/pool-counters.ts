// The pool's counters, for metrics.
import type {ToolOutput} from '@lumenflow/schemas';

export interface PoolCounters {
  /** Calls that wait for a thread now. */
  readonly waiting: number;
  /** Calls whose handler occupies a thread now. */
  readonly running: number;
  /** Calls whose handler returned or failed by itself. */
  readonly completed: number;
  /** Calls whose thread ended. */
  readonly crashed: number;
  /** Calls that ended by timeout. */
  readonly timedOut: number;
  /** Calls that the caller cancelled, or that closing the host cancelled. */
  readonly cancelled: number;
  /** Rejected calls: the queue was full, they waited too long, or they nest too deep. */
  readonly refused: number;
  /** From request to answer, of all calls. */
  readonly durations: Durations;
}

/** A histogram: each bucket counts the calls that took at most its bound. */
export interface Durations {
  readonly count: number;
  readonly sumMs: number;
  readonly buckets: readonly {readonly atMostMs: number; readonly count: number}[];
}

const bounds = [1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000] as const;

const countedAs: Readonly<Record<string, keyof Counts>> = {
  TOOL_CRASHED: 'crashed',
  TOOL_TIMEOUT: 'timedOut',
  TOOL_CANCELLED: 'cancelled',
  LIMIT_EXCEEDED: 'refused',
};

type Counts = Pick<PoolCounters, 'completed' | 'crashed' | 'timedOut' | 'cancelled' | 'refused'>;

export interface CallMeter {
  /** Counts the call's outcome, and returns it. */
  add(output: ToolOutput, tookMs: number): ToolOutput;
  read(now: Pick<PoolCounters, 'waiting' | 'running'>): PoolCounters;
}

export function createCallMeter(): CallMeter {
  const counts = {completed: 0, crashed: 0, timedOut: 0, cancelled: 0, refused: 0};
  const slots = bounds.map(() => 0);
  let [count, sumMs] = [0, 0];

  return {
    add(output, tookMs) {
      counts[countedAs[output.error?.code ?? ''] ?? 'completed'] += 1;
      count += 1;
      sumMs += tookMs;
      const slot = bounds.findIndex((bound) => tookMs <= bound);
      if (slot !== -1) slots[slot] = (slots[slot] ?? 0) + 1;
      return output;
    },
    read(now) {
      let below = 0;
      const buckets = bounds.map((atMostMs, slot) => ({atMostMs, count: (below += slots[slot] ?? 0)}));
      return {...now, ...counts, durations: {count, sumMs, buckets}};
    },
  };
}
