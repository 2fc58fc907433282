import {expect, test} from 'vitest';
import {createTurn} from './create-turn.ts';

test('requests of one turn continue together, before those of the next', async () => {
  const endOfTurn = createTurn();
  const order: string[] = [];
  const come = async (name: string): Promise<void> => {
    order.push(`${name} came`);
    await endOfTurn();
    order.push(`${name} goes on`);
  };
  const early = come('a');
  const sameTurn = new Promise<void>((resolve) => process.nextTick(() => resolve(come('b'))));
  await Promise.all([early, sameTurn]);
  await come('c');
  expect(order).toEqual(['a came', 'b came', 'a goes on', 'b goes on', 'c came', 'c goes on']);
});
