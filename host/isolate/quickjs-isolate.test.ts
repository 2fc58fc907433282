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

async function loading(factories: string): Promise<() => string> {
  const isolate = await createQuickJsIsolate({loadMs: 10_000, whenMs: 50, memoryBytes: 64 * 1024 * 1024}, () => 0);
  return () => isolate.load(`${factories}\nexport function ask() { return true; }`, '{}');
}

test.each([
  ['a long text', `export function make() { return 'x'.repeat(2_000_000); }`, /more than 1048576 characters/u],
  ['a long error', `export function make() { throw new Error('x'.repeat(9_000_000)); }`, /^Error: x{4000}$/u],
  ['no error', `export function make() { throw 'x'.repeat(9_000_000); }`, /^it threw x{4000}$/u],
  ['no text', `export function make() { throw Object.create(null); }`, /^it threw a value without a text$/u],
  [
    'replaced methods',
    `String.prototype.slice = () => 'x'.repeat(9_000_000);
     export function make() { throw new Error('x'.repeat(9_000_000)); }`,
    /^Error: x{4000}$/u,
  ],
])('%s leaves the engine cut', async (_, factories, message) => expect(await loading(factories)).toThrow(message));
