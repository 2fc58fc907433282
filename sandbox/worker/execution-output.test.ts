import {expect, test} from 'vitest';
import {ExecutionOutput} from './execution-output.ts';

const soon = (): AbortSignal => AbortSignal.timeout(20);
const textOf = async (output: ExecutionOutput, number: number): Promise<string | undefined> =>
  (await output.after(number, soon()))?.bytes.toString();

test('a batch can be asked for again until the next one is', async () => {
  const output = new ExecutionOutput();
  await output.add(Buffer.from('one'));
  expect(await textOf(output, 0)).toBe('one');
  await output.add(Buffer.from('two'));
  expect(await textOf(output, 0)).toBe('one');
  expect(await textOf(output, 1)).toBe('two');
  expect(await textOf(output, 0)).toBeUndefined();
  expect(await textOf(output, 2)).toBeUndefined();
});

test('the end is in the last batch, once', async () => {
  const output = new ExecutionOutput();
  await output.add(Buffer.alloc(3 * 1024 ** 2));
  await output.add(Buffer.from('last'));
  output.finish({exit_code: 0});
  output.finish({exit_code: 1});
  const [first, second] = [await output.after(0, soon()), await output.after(1, soon())];
  expect(first?.end).toBeUndefined();
  expect(second).toMatchObject({number: 2, end: {exit_code: 0}, bytes: Buffer.from('last')});
  expect(await output.after(2, soon())).toBeUndefined();
});

test('one that waits gets what is added next', async () => {
  const output = new ExecutionOutput();
  const waiting = output.after(0, AbortSignal.timeout(10_000));
  await output.add(Buffer.from('late'));
  expect((await waiting)?.bytes.toString()).toBe('late');
});

test('the program waits while too much is unread', async () => {
  const output = new ExecutionOutput();
  let isAdded = false;
  const adding = output.add(Buffer.alloc(9 * 1024 ** 2)).then(() => (isAdded = true));
  await new Promise(setImmediate);
  expect(isAdded).toBe(false);
  await output.after(0, soon());
  await adding;
  expect(isAdded).toBe(true);
});
