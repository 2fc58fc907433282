// Handles of programs that are kept for many calls.
import {Socket} from 'node:net';
import {expect, test} from 'vitest';
import {refHandles} from './ref-handles.ts';

test('a closed socket collects no listeners', () => {
  const socket = new Socket();
  socket.destroy();
  for (let call = 0; call < 20; call += 1) refHandles([socket], call % 2 === 0);
  expect(socket.listenerCount('connect')).toBe(0);
});
