// `try`: a failure runs `catch`, and `finally` runs in both cases. A run that stops runs neither: it continues here later.
import type {RunStep} from './interpreter.ts';
import {next, type StepEnd} from './step-end.ts';
import {inner} from './step-place.ts';

export const runTry: RunStep = async (run, step, place) => {
  const tried = await run.steps(step.try ?? [], inner(place, '/try'));
  const end = tried.type === 'failed' && step.catch ? await caught(tried.failure) : tried;
  if (step.finally === undefined || end.type === 'stopped') return end;
  const last = await run.steps(step.finally, inner(place, '/finally'));
  if (last.type !== 'next') return last;
  return end.type === 'next' ? next({...last.values, ...end.values}) : end;

  async function caught(error: object): Promise<StepEnd> {
    const end = await run.steps(step.catch ?? [], inner(place, '/catch', {...place.values, error}));
    if (end.type !== 'next') return end;
    // The name means the failure of this step here only.
    const {error: _, ...values} = end.values;
    return next('error' in place.values ? {...values, error: place.values['error']} : values);
  }
};
