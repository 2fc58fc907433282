// `foreach`: the same steps for each item of a list. With `parallel`, all items are run even if one fails, so that a resumed run
// finds the same calls in any order.
import type {ProgramStep} from '@lumenflow/schemas';
import type {Interpreter, RunStep} from './interpreter.ts';
import {mapBounded} from './map-bounded.ts';
import {failedAt, firstEnd, next, type StepEnd} from './step-end.ts';
import type {StepPlace} from './step-place.ts';

export const runForeach: RunStep = async (run, step, place) => {
  const {at, values} = place;
  const {max = 0, as} = step;
  const found = await run.evaluate(step.foreach ?? '', values);
  if (!found.ok) return failedAt(at, found.problem);
  const items: unknown = found.value;
  if (!Array.isArray(items)) {
    return failedAt(at, {code: 'EXPRESSION_FAILED', message: `\`${step.foreach ?? ''}\` is not a list`});
  }
  if (items.length > max) {
    const message = `the list has ${items.length} items, and \`max\` is ${max}`;
    return failedAt(at, {code: 'LIMIT_EXCEEDED', message, details: {max, items: items.length}});
  }
  const collected: unknown[] = [];
  const one = async (item: unknown, index: number): Promise<StepEnd> => {
    const end = await runItem(run, step, place, {item, index});
    if (end.type === 'next') collected[index] = end.values['collected'];
    return end;
  };
  const width = typeof step.parallel === 'number' ? Math.min(step.parallel, run.limits.parallel) : 1;
  const end = width === 1 ? await inSequence(items, one) : firstEnd(await mapBounded(items, width, one));
  return end ?? next(as === undefined ? values : {...values, [as]: collected});
};

async function inSequence(
  items: readonly unknown[],
  one: (item: unknown, index: number) => Promise<StepEnd>,
): Promise<StepEnd | undefined> {
  for (const [index, item] of items.entries()) {
    const end = await one(item, index);
    if (end.type !== 'next') return end;
  }
  return undefined;
}

async function runItem(
  run: Interpreter,
  step: ProgramStep,
  place: StepPlace,
  {item, index}: {readonly item: unknown; readonly index: number},
): Promise<StepEnd> {
  const at = `${place.at}[${index}]`;
  const values = {...place.values, [step.item ?? '']: item};
  const end = await run.steps(step.steps ?? [], {...place, at: `${at}/steps`, depth: place.depth + 1, values});
  if (end.type !== 'next' || step.collect === undefined) return end;
  const collected = await run.fill(step.collect, end.values);
  return collected.ok ? next({collected: collected.value}) : failedAt(at, collected.problem);
}
