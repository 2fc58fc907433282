// Ids that count, so that a test can name them.
import type {Ids} from '@lumenflow/kernel';

export function createCountingIds(): Ids {
  let count = 0;
  return {
    next(prefix) {
      count += 1;
      return `${prefix}-${count}`;
    },
  };
}
