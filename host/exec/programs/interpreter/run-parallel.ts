// `parallel`: lists of steps at the same time. All run to their ends even if one fails; what they name is known afterwards.
import {mapBounded} from './map-bounded.ts';
import type {RunStep} from './interpreter.ts';
import {firstEnd, next} from './step-end.ts';
import {inner} from './step-place.ts';

export const runParallel: RunStep = async (run, step, place) => {
  const branches = Array.isArray(step.parallel) ? step.parallel : [];
  const ends = await mapBounded(branches, run.limits.parallel, (steps, index) =>
    run.steps(steps, inner(place, `/parallel/${index}`)),
  );
  const end = firstEnd(ends);
  if (end) return end;
  return next(Object.assign({}, ...ends.map((each) => (each.type === 'next' ? each.values : {}))) as object as never);
};
