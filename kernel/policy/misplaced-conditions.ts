// Conditions that have no meaning for a rule's trigger. Without an error such a rule would never match, or always.
import type {PolicyTrigger} from '@lumenflow/schemas';
import {isRecord} from './is-record.ts';
import {matcherTable} from './matchers/matcher-table.ts';

export interface MisplacedCondition {
  /** JSON pointer into the rule. */
  readonly pointer: string;
  readonly message: string;
  readonly help: string;
}

export function* misplacedConditions(
  when: unknown,
  trigger: PolicyTrigger,
  pointer = '/when',
): Iterable<MisplacedCondition> {
  if (!isRecord(when)) return;
  for (const [name, key] of Object.entries(matcherTable)) {
    const help = when[name] === undefined ? undefined : key.insteadIn(trigger);
    if (help === undefined) continue;
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
