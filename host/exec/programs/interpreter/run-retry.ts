// `retry`: other attempts at steps that failed. Each attempt is a separate place, so that a resumed run knows those before it.
import type {RunStep} from './interpreter.ts';
import type {StepEnd} from './step-end.ts';

export const runRetry: RunStep = async (run, step, place) => {
  const {retry: attempts = 1, delay_ms = 0, steps = []} = step;
  let end: StepEnd | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const at = `${place.at}[${attempt}]`;
    if (end && !run.hasBegun(at) && !(await run.sleep(delay_ms))) {
      return {type: 'stopped', state: 'interrupted', approvals: []};
    }
    end = await run.steps(steps, {...place, at: `${at}/steps`, depth: place.depth + 1});
    if (end.type !== 'failed') return end;
  }
  return end ?? {type: 'next', values: place.values};
};
