// The lists of steps within a step, each with its pointer relative to the step.
import type {ProgramStep} from '@lumenflow/schemas';

export interface InnerSteps {
  readonly pointer: string;
  readonly steps: readonly ProgramStep[];
}

export function innerSteps(step: ProgramStep): readonly InnerSteps[] {
  const branches = Array.isArray(step.parallel) ? step.parallel : [];
  const lists: readonly (readonly [string, readonly ProgramStep[] | undefined])[] = [
    ['/then', step.then],
    ['/else', step.else],
    ...(step.cases ?? []).map(({steps}, index) => [`/cases/${index}/steps`, steps] as const),
    ['/default', step.default],
    ...branches.map((steps, index) => [`/parallel/${index}`, steps] as const),
    ['/try', step.try],
    ['/catch', step.catch],
    ['/finally', step.finally],
    ['/steps', step.steps],
  ];
  return lists.flatMap(([pointer, steps]) => (steps === undefined ? [] : [{pointer, steps}]));
}
