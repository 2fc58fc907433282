// Steps that choose: `if` and `switch`.
import {isDeepStrictEqual} from 'node:util';
import type {RunStep} from './interpreter.ts';
import {failedAt, next} from './step-end.ts';
import {inner} from './step-place.ts';

export const runIf: RunStep = async (run, step, place) => {
  const found = await run.evaluate(step.if ?? '', place.values);
  if (!found.ok) return failedAt(place.at, found.problem);
  if (typeof found.value !== 'boolean') {
    const message = `\`${step.if ?? ''}\` is ${JSON.stringify(found.value)}, which is not true or false`;
    return failedAt(place.at, {code: 'EXPRESSION_FAILED', message});
  }
  const steps = found.value ? step.then : step.else;
  return steps === undefined
    ? next(place.values)
    : await run.steps(steps, inner(place, found.value ? '/then' : '/else'));
};

export const runSwitch: RunStep = async (run, step, place) => {
  const found = await run.evaluate(step.switch ?? '', place.values);
  if (!found.ok) return failedAt(place.at, found.problem);
  for (const [index, {is, steps}] of (step.cases ?? []).entries()) {
    const wanted = await run.fill(is, place.values);
    if (!wanted.ok) return failedAt(place.at, wanted.problem);
    if (isDeepStrictEqual(wanted.value, found.value))
      return await run.steps(steps, inner(place, `/cases/${index}/steps`));
  }
  return step.default === undefined ? next(place.values) : await run.steps(step.default, inner(place, '/default'));
};
