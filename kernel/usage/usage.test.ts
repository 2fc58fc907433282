import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createUsage, type Usage} from './usage.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300);
const start = Date.UTC(2026, 0, 1);
const perMs = 60_000;

function count(usage: Usage, atMs: number, amount = 1, period: {per_ms?: number} = {per_ms: perMs}): void {
  const event = {seq: 1, prev: '', type: 'call_counted' as const, actor: 'a', receipt_id: 'r'};
  const timestamp = new Date(atMs).toISOString();
  usage.apply({...event, timestamp, counts: [{key: 'k', amount, ...period}]});
}

test('a use counts for exactly one period', () => {
  const usage = createUsage();
  count(usage, start);
  expect(usage.used('k', start, perMs)).toBe(1);
  expect(usage.used('k', start + perMs - 1, perMs)).toBe(1);
  expect(usage.used('k', start + perMs, perMs)).toBe(0);
  expect(usage.used('other', start, perMs)).toBe(0);
});

test('what was returned replaces what was assumed, and both stop to count together', () => {
  const usage = createUsage();
  const correct = (atMs: number, amount: number, since: number): void => {
    const event = {seq: 1, prev: '', type: 'call_counted' as const, actor: 'a', receipt_id: 'r'};
    const [timestamp, from] = [new Date(atMs).toISOString(), new Date(since).toISOString()];
    usage.apply({...event, timestamp, counts: [{key: 'k', amount, per_ms: perMs, since: from}]});
  };
  count(usage, start, 4);
  count(usage, start + 30_000, 4);
  correct(start + 40_000, -3, start);
  expect(usage.used('k', start + 40_000, perMs)).toBe(5);
  expect(usage.used('k', start + perMs, perMs)).toBe(4);
  // Too late: the amount itself counts no more, and no other one is reduced.
  count(usage, start + perMs + 1, 1);
  correct(start + perMs + 2, -3, start);
  expect(usage.used('k', start + perMs + 2, perMs)).toBe(5);
});

test('without a period, everything counts', () => {
  const usage = createUsage();
  count(usage, start, 2.5, {});
  count(usage, start + 365 * 86_400_000, 1, {});
  expect(usage.used('k', start + 400 * 86_400_000, undefined)).toBe(3.5);
});

test('a clock that is set back lets nothing stop to count earlier', () => {
  const usage = createUsage();
  count(usage, start + 30_000);
  count(usage, start);
  expect(usage.used('k', start + perMs + 1, perMs)).toBe(2);
});

test('in every period no less counts than there was, and nothing that is more than a thousandth older', () => {
  const step = fc.record({after: fc.integer({min: 0, max: 20_000}), amount: fc.integer({min: 0, max: 5})});
  fc.assert(
    fc.property(fc.array(step, {maxLength: 200}), (steps) => {
      const usage = createUsage();
      const uses: {atMs: number; amount: number}[] = [];
      let atMs = start;
      for (const {after, amount} of steps) {
        atMs += after;
        const within = (ms: number): number =>
          uses.filter((use) => atMs - use.atMs < ms).reduce((sum, use) => sum + use.amount, 0);
        const used = usage.used('k', atMs, perMs);
        expect(used).toBeGreaterThanOrEqual(within(perMs));
        expect(used).toBeLessThanOrEqual(within(perMs * 1.001));
        uses.push({atMs, amount});
        count(usage, atMs, amount);
      }
    }),
    {numRuns},
  );
});
