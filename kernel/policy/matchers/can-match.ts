// Whether the conditions on one value can match together. In doubt, they can.
import type {ValueMatcher} from '@lumenflow/schemas';

/** `test` is the matcher, compiled. */
export function canMatch(matcher: ValueMatcher, test: (value: unknown) => boolean): boolean {
  if (matcher.exists === false) return Object.keys(matcher).length === 1;
  if ('equals' in matcher) return test(matcher.equals);
  if (matcher.in !== undefined) return matcher.in.some(test);
  const isText = matcher.glob !== undefined || matcher.regex !== undefined;
  const bounds = [matcher.lt, matcher.lte, matcher.gt, matcher.gte].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return true;
  return !isText && isOpen(matcher, bounds, test);
}

/** Some number lies within all bounds: if any does, then one of the bounds, or one between or beside two of them. */
function isOpen(matcher: ValueMatcher, bounds: readonly number[], test: (value: unknown) => boolean): boolean {
  const lowest = Math.max(matcher.gt ?? -Infinity, matcher.gte ?? -Infinity);
  const highest = Math.min(matcher.lt ?? Infinity, matcher.lte ?? Infinity);
  return lowest < highest || bounds.some(test);
}
