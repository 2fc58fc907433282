// Delays retries, longer after each failure, so that no job is lost and none keeps the machine busy.

const firstMs = 1_000;
const mostMs = 60_000;

/** Milliseconds before the next attempt, after this number of attempts. */
export function delayAfter(tries: number): number {
  return Math.min(mostMs, firstMs * 2 ** (tries - 1));
}

/** Times are in milliseconds of one monotonic clock. */
export class Backoff {
  readonly #tried = new Map<string, {readonly times: number; readonly at: number}>();

  tried(id: string, now: number): void {
    this.#tried.set(id, {times: (this.#tried.get(id)?.times ?? 0) + 1, at: now});
  }

  wasTriedAfter(id: string, time: number): boolean {
    return (this.#tried.get(id)?.at ?? -Infinity) > time;
  }

  /** The time of the next attempt; 0 for an id without attempts. */
  readyAt(id: string): number {
    const last = this.#tried.get(id);
    return last === undefined ? 0 : last.at + delayAfter(last.times);
  }

  /** Forgets all other ids; they start again from zero attempts. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#tried.keys()) if (!ids.has(id)) this.#tried.delete(id);
  }
}
