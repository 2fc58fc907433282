// The kind of a step is the key that only steps of this kind have.
import type {ProgramStep} from '@lumenflow/schemas';

/** `foreach` comes before `parallel`, which is also one of its settings. */
export const stepKinds = [
  'let',
  'call',
  'if',
  'switch',
  'foreach',
  'parallel',
  'try',
  'retry',
  'timeout',
  'wait_for_approval',
  'return',
] as const;

export type StepKind = (typeof stepKinds)[number];

/** All kinds that it could be; a valid step has one. */
export function kindsOf(step: ProgramStep): readonly StepKind[] {
  return stepKinds.filter((kind) => Object.hasOwn(step, kind) && !(kind === 'parallel' && step.foreach !== undefined));
}

export function stepKind(step: ProgramStep): StepKind {
  return kindsOf(step)[0] ?? 'let';
}
