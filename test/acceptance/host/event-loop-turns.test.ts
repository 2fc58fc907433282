// A host gives the event loop its turns: timers run although the program awaits one reading after the other.
import {expect, test} from 'vitest';
import {makeHostWorkspace} from '../../support/host-workspace.ts';

test('timers run while a receipt is awaited again and again', async () => {
  const workspace = makeHostWorkspace({});
  try {
    const {runtime} = await workspace.start();
    const ticks: number[] = [];
    const timer = setInterval(() => ticks.push(performance.now()), 1);
    for (let reads = 0; reads < 50_000 && ticks.length < 3; reads += 1) await runtime.evidence.receipt('0');
    clearInterval(timer);
    expect(ticks).toHaveLength(3);
  } finally {
    await workspace.remove();
  }
});
