// The part of a network's totals that one call adds.
import {expect, test} from 'vitest';
import type {ConnectionSum} from './network-audit.ts';
import {reportSince} from './report-since.ts';

const sum = (destination: string, attempts: number, bytes = 0): ConnectionSum => ({
  destination,
  allowed: true,
  attempts,
  bytes_sent: bytes,
  bytes_received: 0,
});

test('reports what was added, also to a connection that was open before', () => {
  const before = {connections: [sum('a:1', 1, 5), sum('b:1', 1)], denials: ['network c:1: no']};
  const now = {connections: [sum('a:1', 1, 9), sum('b:1', 1), sum('d:1', 2)], denials: ['network c:1: no', 'new']};
  expect(reportSince(undefined, now)).toBe(now);
  expect(reportSince(before, now)).toEqual({connections: [sum('a:1', 0, 4), sum('d:1', 2)], denials: ['new']});
});
