import {expect, test} from 'vitest';
import {byteCounter} from './byte-counter.ts';

test('counts every byte once, also of a connection that stays open', () => {
  const socket = {bytesWritten: 5, bytesRead: 7};
  const sum = {destination: 'a:1', allowed: true, attempts: 1, bytes_sent: 100, bytes_received: 0};
  const count = byteCounter(socket, sum);
  count();
  count();
  expect(sum).toMatchObject({bytes_sent: 105, bytes_received: 7});
  Object.assign(socket, {bytesWritten: 6});
  count();
  expect(sum).toMatchObject({bytes_sent: 106, bytes_received: 7});
});
