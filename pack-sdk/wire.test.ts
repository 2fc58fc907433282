import type {WireMessage} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createFrameDecoder, encodeContentFrame, encodeFrame, frameBytesMax, isWireMessage} from './wire.ts';

const message: fc.Arbitrary<WireMessage> = fc.oneof(
  fc.record({type: fc.constant('progress' as const), payload: fc.jsonValue()}),
  fc.record({type: fc.constant('cancel' as const), reason: fc.string({unit: 'grapheme'})}),
  fc.record({
    type: fc.constant('log' as const),
    level: fc.constantFrom('debug' as const, 'error' as const),
    message: fc.string({unit: 'binary'}),
  }),
);

function decode(chunks: readonly Uint8Array[], maxBytes?: number) {
  const messages: WireMessage[] = [];
  const problems: string[] = [];
  const push = createFrameDecoder({
    onMessage: (decoded) => messages.push(decoded),
    onProblem: (problem) => problems.push(problem),
    maxBytes,
  });
  for (const chunk of chunks) push(chunk);
  return {messages, problems};
}

test('messages come through however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(message, {maxLength: 8}), fc.array(fc.nat({max: 40})), (messages, cuts) => {
      const stream = Buffer.concat(messages.map((one) => encodeFrame(one)));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) chunks.push(stream.subarray(at, (at += cut)));
      chunks.push(stream.subarray(at));
      // -0 is not kept by JSON.
      expect(decode(chunks)).toEqual({messages: JSON.parse(JSON.stringify(messages)), problems: []});
    }),
  );
});

const cancel: WireMessage = {type: 'cancel', reason: 'x'};
const frame = (text: string): Uint8Array => {
  const body = Buffer.from(text, 'latin1');
  const header = Buffer.alloc(4);
  header.writeUInt32BE(body.length);
  return Buffer.concat([header, body]);
};

test.each([
  ['not JSON', frame('{"type": "cancel"')],
  ['not UTF-8', frame('{"type":"cancel","reason":"\xff"}')],
  ['an unknown type', frame('{"type":"shutdown"}')],
  ['a type of Object', frame('{"type":"toString"}')],
  ['a list', frame('[]')],
  ['an empty frame', frame('')],
  ['a bad id', frame('{"type":"request","id":0,"method":"fs_read","params":{}}')],
  ['a bad level', frame('{"type":"log","level":"loud","message":""}')],
])('%s breaks the stream once and for all', (_name, bad) => {
  const {messages, problems} = decode([encodeFrame(cancel), bad, encodeFrame(cancel)]);
  expect(messages).toEqual([cancel]);
  expect(problems).toEqual(['a frame is not a known message in JSON']);
});

test('a frame beyond the bound is refused by its header alone', () => {
  const header = Buffer.from([0, 0, 0, 11]);
  expect(decode([header], 10).problems).toEqual(['a frame of 11 bytes exceeds the bound of 10 bytes']);
  expect(decode([header], 11).problems).toEqual([]);
});

test('a message beyond the bound is not encoded', () => {
  expect(() => encodeFrame({type: 'progress', payload: 'x'.repeat(64 * 1024 * 1024)})).toThrow(RangeError);
});

test('an invocation is checked for what its receiver relies on', () => {
  const invocation = {
    protocol: 1,
    tool_name: 'a:b',
    handler_entry: '/a.js#b',
    input: null,
    scope_enforced: {},
    receipt_id: 'r',
    task_id: 't',
    run_id: 'r',
    session_id: 's',
    lane_id: 'l',
    workspace_root: '/',
    config: null,
    env: {},
  };
  expect(isWireMessage({type: 'invoke', invocation})).toBe(true);
  for (const key of Object.keys(invocation)) {
    const {[key as keyof typeof invocation]: _left, ...rest} = invocation;
    expect(isWireMessage({type: 'invoke', invocation: rest}), key).toBe(false);
  }
  expect(isWireMessage({type: 'invoke', invocation: {...invocation, protocol: 2}})).toBe(false);
});

test('a content comes through in parts as it does whole', () => {
  for (const length of [0, 1, 2, 3, 768 * 1024, 2_000_001]) {
    const content = Buffer.alloc(length, 'content');
    const whole = encodeFrame({type: 'response', id: 7, value: {content_base64: content.toString('base64')}});
    const parts = [...encodeContentFrame(7, content)];
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(1024 * 1024);
  }
  expect(() => encodeContentFrame(7, Buffer.alloc(frameBytesMax))).toThrow(RangeError);
});
