import {getEventListeners} from 'node:events';
import {expect, test} from 'vitest';
import {onAbort} from './on-abort.ts';

test('all watches of a signal are called, with one listener', () => {
  const control = new AbortController();
  const called: number[] = [];
  const ends = Array.from({length: 100}, (_, index) => onAbort(control.signal, () => called.push(index)));
  expect(getEventListeners(control.signal, 'abort')).toHaveLength(1);
  for (const end of ends.slice(2)) end();
  control.abort();
  expect(called).toEqual([0, 1]);
});

test('a signal that aborted before calls nothing', () => {
  onAbort(AbortSignal.abort(), () => expect.unreachable());
});
