// Expressions in their process: values of JSON in and out, faults with their position, and bounds of time and memory.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {afterAll, expect, test, vi} from 'vitest';
import {createEvaluator} from './create-evaluator.ts';

const limits = {timeMs: 1_000, heapMb: 64, answerBytes: 1_500};
const evaluator = createEvaluator(limits);
afterAll(() => evaluator.close());

const numbers = Array.from({length: 2_000}, (_, index) => index);
const one = async (source: string, values: Record<string, unknown> = {}): Promise<unknown> => {
  const found = await evaluator.evaluate({sources: [source], values});
  return found.ok ? found.value.value[0] : found.problem;
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

test('a value larger than an answer may be is not returned, and the next expression is evaluated', async () => {
  const values = {text: 'x'.repeat(1_000)};
  expect(await one('[text, text]', values)).toMatchObject({details: {limit: 'value_bytes'}});
  expect(await one('text', values)).toBe(values.text);
});

test('bytes are bounded, although V8 does not count them', async () => {
  const patient = createEvaluator({...limits, timeMs: 60_000});
  const doubled = `[b"xxxxxxxx"]${'.map(x, x + x)'.repeat(27)}.map(x, size(x))`;
  expect(await patient.evaluate({sources: [doubled], values: {}})).toMatchObject({
    problem: {code: 'EXPRESSION_FAILED', message: expect.stringContaining('allocation failed') as string},
  });
  await patient.close();
});

test('a process that cannot start is reported, again and again', async () => {
  const tiny = createEvaluator({...limits, heapMb: 1});
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await tiny.evaluate({sources: ['1'], values: {}})).toMatchObject({problem: {details: {limit: 'heap_mb'}}});
  }
  await tiny.close();
});

test('the process is gone once its host was killed in the middle of an expression', async () => {
  const built = new URL('../../../dist/exec/programs/expressions/create-evaluator.js', import.meta.url);
  const question = {sources: ['n.map(a, n.map(b, n.filter(c, c == a)))'], values: {n: numbers}};
  const script = `const {createEvaluator} = await import(${JSON.stringify(built.href)});
const evaluator = createEvaluator({timeMs: 600_000, heapMb: 64, answerBytes: 1000});
await evaluator.evaluate({sources: ['1'], values: {}});
void evaluator.evaluate(${JSON.stringify(question)});
console.log('asked');`;
  const host = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(host.stdout, 'data');
  const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'utf8').trim().split(' ').map(Number);
  host.kill('SIGKILL');
  expect(children).toHaveLength(1);
  for (const child of children) await vi.waitFor(() => expect(isRunning(child)).toBe(false), {timeout: 60_000});
});

function isRunning(pid: number): boolean {
  try {
    // Nobody may reap a child whose parent has ended.
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
