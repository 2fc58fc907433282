import {describe, expect, it} from 'vitest';
import {renderDuration, renderTime} from './render-time.ts';

describe('renderTime', () => {
  const now = Date.parse('2026-01-10T00:00:00Z');
  it.each([
    ['2026-01-10T00:00:00.200Z', 'now'],
    ['2026-01-09T23:59:30Z', '30 s ago'],
    ['2026-01-09T23:50:00Z', '10 min ago'],
    ['2026-01-09T12:00:00Z', '12 h ago'],
    ['2026-01-16T23:59:58Z', 'in 7 d'],
    ['nonsense', 'nonsense'],
  ])('%s is %s', (then, reported) => {
    expect(renderTime(then, now)).toBe(reported);
  });
});

describe('renderDuration', () => {
  it.each([
    [0.42, '0.4 ms'],
    [12.4, '12 ms'],
    [1250, '1.3 s'],
    [125_000, '2 min 5 s'],
  ])('%d is %s', (ms, reported) => {
    expect(renderDuration(ms)).toBe(reported);
  });
});
