// The tools and lanes that a matcher names in full, wherever it does.
import type {PolicyMatcher} from '@lumenflow/schemas';
import type {NamedInMatcher} from '../matchers/matcher-key.ts';
import {keysOf} from '../matchers/matcher-table.ts';

export type {NamedInMatcher} from '../matchers/matcher-key.ts';

/** `at`: JSON pointer of the matcher. */
export function* namesInMatcher(matcher: PolicyMatcher, at: string): Iterable<NamedInMatcher> {
  for (const [name, key, operand] of keysOf(matcher)) yield* key.names(operand, `${at}/${name}`, namesInMatcher);
}
