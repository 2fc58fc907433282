// What a matcher cannot do without: one value of the request that equals, or begins with, one of a few.
// A rule whose required value is not there cannot match, so that an index need not ask it.
import type {PolicyMatcher} from '@lumenflow/schemas';
import type {RequiredValue} from './matchers/matcher-key.ts';
import {keysOf} from './matchers/matcher-keys.ts';

export type {RequiredValue} from './matchers/matcher-key.ts';

/** The most telling one of a well-formed matcher; undefined when it needs no value in particular. */
export function requiredValue(matcher: PolicyMatcher): RequiredValue | undefined {
  const [first] = requiredValues(matcher);
  return first;
}

function* requiredValues(matcher: PolicyMatcher): Iterable<RequiredValue> {
  for (const [, key, operand] of keysOf(matcher)) yield* key.requires(operand, requiredValues);
}
