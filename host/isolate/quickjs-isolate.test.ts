// Time in an isolate is what its thread worked: a machine that lets it wait makes no quick pack slow.
import {expect, test} from 'vitest';
import {createQuickJsIsolate} from './quickjs-isolate.ts';

const source = `
  export function make() { return '{}'; }
  export function ask(index, contextJson) {
    const until = Date.now() + JSON.parse(contextJson);
    while (Date.now() < until);
    return true;
  }
`;

async function makeIsolate(whenMs: number, workedMs: () => number) {
  const isolate = await createQuickJsIsolate({loadMs: 10_000, whenMs, memoryBytes: 64 * 1024 * 1024}, workedMs);
  isolate.load(source, '{}');
  return isolate;
}

test('what has worked for too long is interrupted', async () => {
  let worked = 0;
  const isolate = await makeIsolate(1, () => (worked += 2));
  expect(() => isolate.ask(0, '60000')).toThrow('it took longer than 1 ms');
  expect(isolate.ask(0, '0')).toBe(true);
});

test('what was kept from working is not', async () => {
  const isolate = await makeIsolate(500, () => 0);
  expect(isolate.ask(0, '600')).toBe(true);
});

test('but nothing goes on for good', async () => {
  const isolate = await makeIsolate(1, () => 0);
  expect(() => isolate.ask(0, '60000')).toThrow('it took longer than 1 ms');
});
