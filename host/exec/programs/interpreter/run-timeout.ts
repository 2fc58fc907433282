// `timeout`: steps that must end in time, counted from their first call also when the run is resumed.
import type {RunStep} from './interpreter.ts';
import {inner} from './step-place.ts';

export const runTimeout: RunStep = async (run, step, place) => {
  const deadline = run.beganAt(place.at) + (step.timeout ?? 0);
  const bounded = {...place, deadline: Math.min(deadline, place.deadline ?? deadline)};
  return await run.steps(step.steps ?? [], inner(bounded, '/steps'));
};
