import {expect, test} from 'vitest';
import {KernelError} from '../errors.ts';
import type {TaskStore} from '../ports.ts';
import {readSpec} from './read-spec.ts';

function storeThatThrows(error: Error): TaskStore {
  const read = async (): Promise<never> => {
    throw error;
  };
  return {read} as unknown as TaskStore;
}

test('bytes that are not a spec are not those that the kernel wrote', async () => {
  expect(await readSpec(storeThatThrows(new KernelError('LOG_CORRUPT', 'not YAML')), 'task-1')).toBe('unreadable');
});

test('a store that cannot be read stays an error', async () => {
  const store = storeThatThrows(new KernelError('LOG_UNAVAILABLE', 'disk'));
  await expect(readSpec(store, 'task-1')).rejects.toMatchObject({code: 'LOG_UNAVAILABLE'});
});
