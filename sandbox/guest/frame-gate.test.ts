import {encodeFrame} from '@lumenflow/pack-sdk/wire';
import type {WireMessage} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {createFrameGate, type StoppedFrame} from './frame-gate.ts';

const progress: WireMessage = {type: 'progress', payload: 'x'.repeat(200)};
const request: WireMessage = {type: 'request', id: 7, method: 'call_tool', params: {name: 'a:b'}};
const result: WireMessage = {type: 'result', output: {success: true}};

function passing(messages: readonly WireMessage[], chunkBytes: number) {
  const bytes = Buffer.concat(messages.map(encodeFrame));
  const passed: Buffer[] = [];
  const stopped: StoppedFrame[] = [];
  const gate = createFrameGate({pass: (part) => passed.push(Buffer.from(part)), stop: (frame) => stopped.push(frame)});
  for (let at = 0; at < bytes.length; at += chunkBytes) gate.feed(bytes.subarray(at, at + chunkBytes));
  return {gate, stopped, passed: () => Buffer.concat(passed)};
}

test.each([1, 3, 5, 64, 10_000])('stops before requests and results, in chunks of %d bytes', (chunkBytes) => {
  const {gate, stopped, passed} = passing([progress, request, progress, result], chunkBytes);
  expect(stopped).toEqual([{type: 'request', id: 7, method: 'call_tool'}]);
  expect(passed()).toEqual(encodeFrame(progress));
  gate.open();
  expect(stopped[1]).toMatchObject({type: 'result'});
  expect(passed()).toEqual(Buffer.concat([progress, request, progress].map(encodeFrame)));
  gate.open();
  expect(passed()).toEqual(Buffer.concat([progress, request, progress, result].map(encodeFrame)));
});

test('what arrives while it is closed is bounded', () => {
  const {gate} = passing([request], 100);
  const flood = Buffer.alloc(16 * 1024 ** 2);
  expect(() => {
    for (let count = 0; count < 10; count += 1) gate.feed(flood);
  }).toThrow(RangeError);
});
