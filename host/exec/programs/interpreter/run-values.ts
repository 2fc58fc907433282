// Steps that compute: `let` and `return`.
import type {RunStep} from './interpreter.ts';
import {failedAt, next} from './step-end.ts';

/** Each value can use those before it. */
export const runLet: RunStep = async (run, step, {at, values}) => {
  let known = values;
  for (const [name, data] of Object.entries(step.let ?? {})) {
    const filled = await run.fill(data, known);
    if (!filled.ok) return failedAt(at, filled.problem);
    known = {...known, [name]: filled.value};
  }
  return next(known);
};

export const runReturn: RunStep = async (run, step, {at, values}) => {
  const filled = await run.fill(step.return, values);
  return filled.ok ? {type: 'returned', value: filled.value} : failedAt(at, filled.problem);
};
