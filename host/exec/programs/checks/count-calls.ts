// How many calls steps make at most: every loop takes all its items, and every branch is the longest.
import type {ProgramStep} from '@lumenflow/schemas';

export function countCalls(steps: readonly ProgramStep[] = []): number {
  return steps.reduce((sum, step) => sum + callsOf(step), 0);
}

function callsOf(step: ProgramStep): number {
  if (step.call !== undefined) return 1;
  const branches = Array.isArray(step.parallel) ? step.parallel : [];
  const choices = [step.then, step.else, step.default, ...(step.cases ?? []).map(({steps}) => steps)];
  return (
    Math.max(...choices.map(countCalls)) +
    branches.reduce((sum, branch) => sum + countCalls(branch), 0) +
    countCalls(step.try) +
    countCalls(step.catch) +
    countCalls(step.finally) +
    countCalls(step.steps) * (step.max ?? step.retry ?? 1)
  );
}
