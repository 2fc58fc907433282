import {expect, test} from 'vitest';
import {createWriteBudget} from './write-budget.ts';

test('if calls exceed the budget together, the one that wrote most is over it', () => {
  const budget = createWriteBudget(100);
  const [small, large] = [{}, {}];
  expect(budget.isExceededBy(small, 40)).toBe(false);
  expect(budget.isExceededBy(large, 70)).toBe(true);
  expect(budget.isExceededBy(small, 45)).toBe(false);
  budget.forget(large);
  expect(budget.isExceededBy(small, 60)).toBe(false);
});
