// Compiles a rule's matcher object into one condition: all its keys must match.
import type {PolicyMatcher} from '@lumenflow/schemas';
import {escapePointerPart} from './json-pointer.ts';
import {isRecord} from './is-record.ts';
import type {MatcherSite} from './matcher-site.ts';
import {matcherTable} from './matchers/matcher-table.ts';
import type {Condition} from './policy-request.ts';

export function compileMatcher(matcher: unknown, pointer: string, site: MatcherSite): Condition {
  if (!isRecord(matcher) || Object.keys(matcher).length === 0) {
    return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'a matcher needs at least one condition');
  }
  const conditions = Object.entries(matcher).map(([name, operand]): Condition => {
    if (Object.hasOwn(matcherTable, name)) {
      return matcherTable[name as keyof PolicyMatcher].compile(operand, `${pointer}/${name}`, site, compileMatcher);
    }
    return site.reject(
      `${pointer}/${escapePointerPart(name)}`,
      'POLICY_MATCHER_INVALID',
      `unknown condition \`${name}\``,
    );
  });
  const [first] = conditions;
  if (first !== undefined && conditions.length === 1) return first;
  return (request) => conditions.every((condition) => condition(request));
}
