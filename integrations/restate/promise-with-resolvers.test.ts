import {expect, it} from 'vitest';
import './promise-with-resolvers.ts';

it('gives a promise with what settles it', async () => {
  const {withResolvers} = Promise as unknown as {
    withResolvers<T>(): {promise: Promise<T>; resolve(value: T): void; reject(reason: unknown): void};
  };
  const [kept, broken] = [withResolvers.call(Promise), withResolvers.call(Promise)];
  kept.resolve(1);
  broken.reject(new Error('broken'));
  expect(await kept.promise).toBe(1);
  await expect(broken.promise).rejects.toThrow('broken');
});
