// Expressions in their thread: values of JSON in and out, faults with their position, and bounds of time and memory.
import {afterAll, expect, test} from 'vitest';
import {createEvaluator} from './create-evaluator.ts';

const evaluator = createEvaluator({timeMs: 2_000, heapMb: 64});
afterAll(() => evaluator.close());

const numbers = Array.from({length: 2_000}, (_, index) => index);
const one = async (source: string, values: Record<string, unknown> = {}): Promise<unknown> => {
  const found = await evaluator.evaluate({sources: [source], values});
  return found.ok ? found.value[0] : found.problem;
};

test.each<[string, unknown]>([
  ['1 + 1', 2],
  ['a.b + 1', 4],
  ['c / 2.0', 0.75],
  ['{"x": [a, null], "y": "z"}', {x: [{b: 3}, null], y: 'z'}],
  ['json(a)', '{"b":3}'],
  ['parse_json("[1, {}]")', [1, {}]],
  ['"a.b".replace(".", "$&")', 'a$&b'],
  ['[[1], [2, 3]].flatten()', [1, 2, 3]],
  ['a.?x.orValue(1)', 1],
  ['timestamp("2026-01-02T03:04:05Z")', '2026-01-02T03:04:05.000Z'],
])('%s', async (source, value) => expect(await one(source, {a: {b: 3}, c: 1.5})).toEqual(value));

test.each<[string, object]>([
  ['a.x', {code: 'EXPRESSION_FAILED', message: '`a.x`: No such key: x', details: {offset: 2}}],
  ['a.constructor', {code: 'EXPRESSION_FAILED'}],
  ['1 / 0', {code: 'EXPRESSION_FAILED'}],
  ['9007199254740993', {message: expect.stringContaining('not exact') as string}],
  ['b"x"', {message: expect.stringContaining('is not text') as string}],
])('%s fails', async (source, failure) => expect(await one(source, {a: {}})).toMatchObject(failure));

test.each([
  ['nested loops', 'n.map(a, n.map(b, n.filter(c, c == a)))'],
  ['backtracking', `"${'a'.repeat(40)}!".matches("(a+)+$")`],
  ['doubled lists', `[n]${'.map(x, x + x)'.repeat(24)}.map(x, size(x))`],
])('%s are ended, and the next expression is evaluated', async (_, source) => {
  expect(await one(source, {n: numbers})).toMatchObject({code: 'LIMIT_EXCEEDED'});
  expect(await one('1 + 1')).toBe(2);
});

test('a thread that runs out of memory while it is ended disturbs no other', async () => {
  const doubled = `[n]${'.map(x, x + x)'.repeat(24)}.map(x, size(x))`;
  for (const timeMs of [20, 40, 80, 160]) {
    const hasty = createEvaluator({timeMs, heapMb: 16});
    expect(await hasty.evaluate({sources: [doubled], values: {n: numbers}})).toMatchObject({
      ok: false,
      problem: {code: 'LIMIT_EXCEEDED'},
    });
    await hasty.close();
  }
});
