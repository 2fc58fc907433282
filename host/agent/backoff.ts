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
  readonly #tried = new Map<string, {readonly times: number; readonly until: number}>();

  tried(id: string, now: number): void {
    const times = (this.#tried.get(id)?.times ?? 0) + 1;
    this.#tried.set(id, {times, until: now + delayAfter(times)});
  }

  /** When it may be tried again; 0 for what was not tried. */
  readyAt(id: string): number {
    return this.#tried.get(id)?.until ?? 0;
  }

  /** All others are done, and begin anew should they come again. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#tried.keys()) if (!ids.has(id)) this.#tried.delete(id);
  }
}
