// A step in a few words, as drawings of a program show it.
import type {ProgramStep} from '@lumenflow/schemas';
import {stepKind} from '../document/step-kind.ts';

export function describeStep(step: ProgramStep): string {
  const kind = stepKind(step);
  const as = step.as === undefined ? '' : ` → ${step.as}`;
  if (kind === 'let') return `let ${Object.keys(step.let ?? {}).join(', ')}`;
  if (kind === 'parallel' || kind === 'try') return kind;
  if (kind === 'foreach') return `foreach ${step.item ?? ''} in ${step.foreach ?? ''}${as}`;
  if (kind === 'retry') return `retry, at most ${step.retry ?? 1} attempts`;
  if (kind === 'timeout') return `timeout after ${step.timeout ?? 0} ms`;
  const value = step[kind];
  return `${kind} ${typeof value === 'string' ? value : JSON.stringify(value)}${as}`;
}

/** Of a list of steps within the step, if it has several lists. `pointer` is relative to the step. */
export function titleOfSteps({cases}: ProgramStep, pointer: string): string | undefined {
  const [, list = '', index = ''] = pointer.split('/');
  if (list === 'steps' || list === 'try') return undefined;
  if (list === 'cases') return `case ${JSON.stringify(cases?.[Number(index)]?.is)}`;
  return list === 'parallel' ? `branch ${Number(index) + 1}` : list;
}
