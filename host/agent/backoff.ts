// What was tried and is still to be done waits before it is tried again, longer each time: neither is it forgotten, nor
// does it keep the machine busy.

const firstMs = 1_000;
const mostMs = 60_000;

/** Milliseconds before the next try, after this many. */
export function delayAfter(tries: number): number {
  return Math.min(mostMs, firstMs * 2 ** (tries - 1));
}

/** Times are milliseconds of one clock that does not jump. */
export class Backoff {
  readonly #tried = new Map<string, {readonly times: number; readonly at: number}>();

  tried(id: string, now: number): void {
    this.#tried.set(id, {times: (this.#tried.get(id)?.times ?? 0) + 1, at: now});
  }

  wasTriedAfter(id: string, time: number): boolean {
    return (this.#tried.get(id)?.at ?? -Infinity) > time;
  }

  /** When it may be tried again; 0 for what was not tried. */
  readyAt(id: string): number {
    const last = this.#tried.get(id);
    return last === undefined ? 0 : last.at + delayAfter(last.times);
  }

  /** All others are done, and begin anew should they come again. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#tried.keys()) if (!ids.has(id)) this.#tried.delete(id);
  }
}
