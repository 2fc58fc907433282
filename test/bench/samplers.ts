// The shapes that all runs have: one operation after the other, or many at once.
import type {Sampler} from './compare.ts';

/** The time of each of `count` operations, one after the other, in milliseconds. */
export function oneByOne(count: number, operation: () => Promise<unknown>): Sampler {
  return async () => {
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const started = performance.now();
      await operation();
      times.push(performance.now() - started);
    }
    return times;
  };
}

/** Operations a second, of `count` with `atOnce` always under way. */
export function manyAtOnce(count: number, atOnce: number, operation: () => Promise<unknown>): Sampler {
  return async () => {
    let left = count;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await operation();
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({length: atOnce}, work));
    return [(count * 1_000) / (performance.now() - started)];
  };
}
