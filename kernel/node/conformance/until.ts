// Waits for what an engine does elsewhere.
import assert from 'node:assert/strict';
import {setTimeout as wait} from 'node:timers/promises';

const limitMs = 60_000;

/** Rejects with an AssertionError after a minute. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + limitMs; !(await isSo());) {
    assert.ok(performance.now() < deadline, 'it did not happen within a minute');
    await wait(10);
  }
}
