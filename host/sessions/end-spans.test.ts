// When the span of a server is over.
import {expect, test} from 'vitest';
import {isSpanOver, spanOf} from './end-spans.ts';

type Held = Parameters<typeof isSpanOver>[1];
const held = (...runs: readonly string[]): Held =>
  ({
    listHeldTasks: (session: string) => (session === 's-1' ? runs.map((run_id) => ({run: {run_id}})) : []),
  }) as unknown as Held;

test.each([
  ['session', ['r-1'], false],
  ['session', ['r-2'], false],
  ['session', [], true],
  ['task', ['r-1'], false],
  ['task', ['r-2'], true],
  ['workspace', [], false],
] as const)('a server with the lifetime %s, while its session has %j: %j', (lifetime, runs, isOver) => {
  const span = spanOf(lifetime, {session_id: 's-1', run_id: 'r-1'});
  expect(span && isSpanOver(span, held(...runs))).toBe(isOver);
});

test('a server that serves one call has no span', () => {
  expect(spanOf('call', {session_id: 's-1', run_id: 'r-1'})).toBeUndefined();
});
