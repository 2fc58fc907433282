// What the pool tells of itself, for metrics.
import type {ToolOutput} from '@lumenflow/schemas';

export interface PoolCounters {
  /** Calls that wait for a thread now. */
  readonly waiting: number;
  /** Calls whose handler has a thread now. */
  readonly running: number;
  /** Calls whose handler came to its own end, well or not. */
  readonly completed: number;
  /** Calls that ended with their thread. */
  readonly crashed: number;
  /** Calls that their time limit ended. */
  readonly timedOut: number;
  /** Calls that their caller, or the host's closing, ended. */
  readonly cancelled: number;
  /** Calls that were turned away, because too many waited or for too long, or because they nest too deep. */
  readonly refused: number;
  /** From being asked for to being answered, of all calls. */
  readonly durations: Durations;
}

/** A histogram: each bound counts the calls that took at most so long. */
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
  /** Counts what became of a call, and gives it back. */
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
