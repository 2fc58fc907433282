// What a matcher cannot do without: one value of the request that equals, or begins with, one of a few.
// A rule whose required value is not there cannot match, so that an index need not ask it.
import type {PolicyMatcher, PolicyTrigger} from '@lumenflow/schemas';
import type {RequiredValue} from './matchers/matcher-key.ts';
import {keysOf} from './matchers/matcher-table.ts';

export type {RequiredValue} from './matchers/matcher-key.ts';

/**
 * The most selective one of a well-formed matcher; undefined if it requires no particular value. For rules of on_changes, the index is
 * also asked before the call, to find out whether its changes will be judged. Paths do not count there.
 */
export function requiredValue(matcher: PolicyMatcher, trigger: PolicyTrigger): RequiredValue | undefined {
  for (const required of requiredValues(matcher)) {
    if (trigger !== 'on_changes' || required.isOfPaths !== true) return required;
  }
  return undefined;
}

function* requiredValues(matcher: PolicyMatcher): Iterable<RequiredValue> {
  for (const [, key, operand] of keysOf(matcher)) yield* key.requires(operand, requiredValues);
}
