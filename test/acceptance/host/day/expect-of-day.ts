// Errors instead of assertions: a day that fails is made shorter, hundreds of times.
import {changed, type DayTree} from './day-tree.ts';

export function expectSame(found: unknown, expected: unknown, what: string): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
  if (is !== should) throw new Error(`${what}: ${is} instead of ${should}`);
}

export function expectTree(found: DayTree, expected: DayTree): void {
  const wrong = changed(found, expected).map((path) => `${path}: ${found.get(path)} instead of ${expected.get(path)}`);
  if (wrong.length > 0) throw new Error(`files are not as they must be: ${wrong.join('; ')}`);
}
