// Conditions that have no meaning for a rule's trigger. Without an error such a rule would never match, or always.
import type {PolicyMatcher, PolicyTrigger} from '@lumenflow/schemas';
import {isRecord} from './is-record.ts';

export interface MisplacedCondition {
  /** JSON pointer into the rule. */
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

interface Meaning {
  hasMeaning(trigger: PolicyTrigger): boolean;
  readonly help: string;
}

const meanings: Partial<Record<keyof PolicyMatcher, Meaning>> = {
  changes: {
    hasMeaning: (trigger) => trigger === 'on_changes',
    help: 'use the trigger `on_changes`: what a call changes is known only after it',
  },
  reads: {
    hasMeaning: (trigger) => trigger !== 'on_changes',
    help: 'a rule of on_changes judges what a call changed: use `writes` or `changes`, or `reads` in a rule of on_tool_request',
  },
};

export function* misplacedConditions(
  when: unknown,
  trigger: PolicyTrigger,
  pointer = '/when',
): Iterable<MisplacedCondition> {
  if (!isRecord(when)) return;
  for (const [name, {hasMeaning, help}] of Object.entries(meanings)) {
    if (when[name] === undefined || hasMeaning(trigger)) continue;
    yield {pointer: `${pointer}/${name}`, message: `\`${name}\` has no meaning in a rule of ${trigger}`, help};
  }
  for (const name of ['all', 'any']) {
    const list = when[name];
    if (!Array.isArray(list)) continue;
    for (const [index, inner] of list.entries()) {
      yield* misplacedConditions(inner, trigger, `${pointer}/${name}/${index}`);
    }
  }
  yield* misplacedConditions(when['not'], trigger, `${pointer}/not`);
}
