// Time limits in an isolate apply to its thread's CPU time, so a busy machine does not make a fast pack slow.
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

test('interrupts code that ran too long', async () => {
  let worked = 0;
  const isolate = await makeIsolate(1, () => (worked += 2));
  expect(() => isolate.ask(0, '60000')).toThrow('it took longer than 1 ms');
  expect(isolate.ask(0, '0')).toBe(true);
});

test('does not interrupt code that waited for the CPU', async () => {
  const isolate = await makeIsolate(500, () => 0);
  expect(isolate.ask(0, '600')).toBe(true);
});

test('but limits the total time', async () => {
  const isolate = await makeIsolate(1, () => 0);
  expect(() => isolate.ask(0, '60000')).toThrow('it took longer than 1 ms');
});
