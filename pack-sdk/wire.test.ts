import type {WireMessage} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  createFrameDecoder,
  encodeContentFrame,
  encodeFrame,
  frameBytesMax,
  isWireMessage,
  messageBounds,
} from './wire.ts';

const message: fc.Arbitrary<WireMessage> = fc.oneof(
  fc.record({type: fc.constant('progress' as const), payload: fc.jsonValue()}),
  fc.record({type: fc.constant('cancel' as const), reason: fc.string({unit: 'grapheme'})}),
  fc.record({
    type: fc.constant('log' as const),
    level: fc.constantFrom('debug' as const, 'error' as const),
    message: fc.string({unit: 'binary'}),
  }),
);

function decode(chunks: readonly Uint8Array[], maxBytes?: number, bounds?: typeof messageBounds) {
  const messages: WireMessage[] = [];
  const problems: string[] = [];
  const push = createFrameDecoder({
    onMessage: (decoded) => messages.push(decoded),
    onProblem: (problem) => problems.push(problem),
    maxBytes,
    bounds,
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

/** As `messageBounds` counts: items of lists, properties, and names. */
function countsOf(value: unknown): {values: number; names: number} {
  if (typeof value !== 'object' || value === null) return {values: 0, names: 0};
  const items = Object.values(value);
  const own = {values: items.length, names: Array.isArray(value) ? 0 : items.length};
  return items.map(countsOf).reduce((a, b) => ({values: a.values + b.values, names: a.names + b.names}), own);
}

test('a message comes through exactly up to the bounds, however the stream is cut', () => {
  fc.assert(
    fc.property(message, message, fc.nat({max: 60}), (first, second, cut) => {
      const stream = Buffer.concat([encodeFrame(first), encodeFrame(second)]);
      const chunks = [stream.subarray(0, cut), stream.subarray(cut)];
      const [one, other] = [first, second].map(countsOf) as [{values: number; names: number}, typeof messageBounds];
      const bounds = {values: Math.max(one.values, other.values), names: Math.max(one.names, other.names)};
      expect(decode(chunks, undefined, bounds).messages).toHaveLength(2);
      for (const name of ['values', 'names'] as const) {
        const below = {...bounds, [name]: bounds[name] - 1};
        expect(decode(chunks, undefined, below).problems).toEqual([
          `a message contains more than ${below[name]} ${name}`,
        ]);
      }
    }),
  );
});

test.each([
  ['lists', '[],', 'values'],
  ['nested lists', '[', 'values'],
  ['objects', '{},', 'values'],
  ['numbers', '1,', 'values'],
  ['names', '"":0,', 'names'],
])('a wide message of %s is rejected long before it has arrived', (_name, part, exceeded) => {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(frameBytesMax);
  const chunk = Buffer.from(`[${part.repeat((64 * 1024) / part.length)}`);
  let sent = 0;
  const problems: unknown[] = [];
  const push = createFrameDecoder({
    onMessage: () => undefined,
    onProblem: (_text, which) => problems.push(which),
    bounds: messageBounds,
  });
  push(header);
  for (; problems.length === 0 && sent < frameBytesMax; sent += chunk.length) push(chunk);
  expect(problems).toEqual([exceeded]);
  expect(sent).toBeLessThan(frameBytesMax / 32);
});

test('text is not structure', () => {
  const long = {type: 'cancel' as const, reason: '[{,:"\\'.repeat(100_000)};
  expect(decode([encodeFrame(long)], undefined, {values: 2, names: 2}).messages).toEqual([long]);
});
