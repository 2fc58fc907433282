// Callers that await one step after the other never leave the microtasks by themselves if each step is done at once. Without a turn of
// the event loop, timers and input wait, and so does everything else that waits for a turn.
import {setImmediate as nextTurn} from 'node:timers/promises';

/** How long steps run in a row before the event loop gets a turn. */
const inARowMs = 10;

export class EventLoopTurns {
  #turnAt = Number.NEGATIVE_INFINITY;

  /** Resolves after a turn of the event loop if the last one was more than 10 ms ago; undefined if no turn is due. */
  giveIfDue(): Promise<void> | undefined {
    return performance.now() - this.#turnAt > inARowMs ? this.#give() : undefined;
  }

  async #give(): Promise<void> {
    await nextTurn();
    this.#turnAt = performance.now();
  }
}
