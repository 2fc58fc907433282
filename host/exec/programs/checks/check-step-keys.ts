// The keys of a step: exactly one says its kind, and the others belong to this kind.
import type {ProgramStep} from '@lumenflow/schemas';
import {kindsOf, stepKinds, type StepKind} from '../document/step-kind.ts';
import type {CheckContext} from './check-context.ts';

interface StepKeys {
  readonly needs?: readonly (keyof ProgramStep)[];
  readonly may?: readonly (keyof ProgramStep)[];
}

const keysOf: Readonly<Record<StepKind, StepKeys>> = {
  let: {},
  call: {may: ['args', 'as']},
  if: {needs: ['then'], may: ['else']},
  switch: {needs: ['cases'], may: ['default']},
  foreach: {needs: ['item', 'max', 'steps'], may: ['parallel', 'collect', 'as']},
  parallel: {},
  try: {may: ['catch', 'finally']},
  retry: {needs: ['steps'], may: ['delay_ms']},
  timeout: {needs: ['steps']},
  wait_for_approval: {},
  return: {},
};

/** Returns the kind of a step that has one. */
export function checkStepKeys(context: CheckContext, step: ProgramStep, pointer: string): StepKind | undefined {
  const kinds = kindsOf(step);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    const found = kinds.length === 0 ? 'none' : kinds.map(quoted).join(' and ');
    context.report(pointer, `a step needs exactly one of ${stepKinds.map(quoted).join(', ')}: it has ${found}`);
    return undefined;
  }
  const {needs = [], may = []} = keysOf[kind];
  for (const key of needs.filter((each) => !Object.hasOwn(step, each))) {
    const help = key === 'max' ? 'set the maximum number of items, because a loop must be bounded' : undefined;
    context.report(pointer, `\`${kind}\` needs \`${key}\``, {help});
  }
  for (const key of Object.keys(step) as (keyof ProgramStep)[]) {
    if (key !== kind && ![...needs, ...may].includes(key)) {
      context.report(`${pointer}/${key}`, `\`${key}\` does not belong to \`${kind}\``);
    }
  }
  if (kind === 'try' && !step.catch && !step.finally) context.report(pointer, '`try` needs `catch`, `finally` or both');
  return kind;
}

function quoted(key: string): string {
  return `\`${key}\``;
}
