// Steps that leave the program: `call` and `wait_for_approval`.
import type {RunStep} from './interpreter.ts';
import {failedAt} from './step-end.ts';

export const runCall: RunStep = async (run, step, place) => {
  const {call: tool = '', args = {}, as} = step;
  const filled = await run.fill(args, place.values);
  return filled.ok ? await run.call({tool, args: filled.value}, place, as) : failedAt(place.at, filled.problem);
};

export const runApproval: RunStep = async (run, step, place) => {
  const filled = await run.fill(step.wait_for_approval, place.values);
  return filled.ok ? await run.approval(String(filled.value), place) : failedAt(place.at, filled.problem);
};
