// Conditions of one matcher that no request can match together. In doubt, one can.
import type {Globs, PolicyMatcher} from '@lumenflow/schemas';
import {canonicalJson} from '../../evidence/canonical-json.ts';
import type {MatcherSite} from '../matcher-site.ts';
import {conjuncts, implies} from './implies.ts';

/** In doubt these match in one direction and not in the other, so a condition and its `not` can both match. */
const inDoubt = /"(?:reads|writes|command|carries|after)":/u;

/** The two conditions as JSON; undefined if none is found. */
export function contradiction(
  matcher: PolicyMatcher,
  site: MatcherSite,
): {readonly one: string; readonly other: string} | undefined {
  const parts = conjuncts(matcher);
  for (const [name, operand] of parts) {
    if (name === 'not' && !inDoubt.test(JSON.stringify(operand)) && implies(matcher, operand as PolicyMatcher, site)) {
      const rest = Object.fromEntries(parts.filter(([other]) => other !== 'not'));
      return {one: canonicalJson(rest), other: canonicalJson({not: operand})};
    }
  }
  for (const [index, [name, operand]] of parts.entries()) {
    const names = namesOf(name, operand);
    const other = parts.slice(index + 1).find(([again, its]) => {
      const others = again === name ? namesOf(again, its) : undefined;
      return names && others && names.every((one) => !others.includes(one));
    });
    if (other) return {one: canonicalJson({[name]: operand}), other: canonicalJson({[other[0]]: other[1]})};
  }
  return undefined;
}

/** Of a condition that matches a few names only. */
function namesOf(name: keyof PolicyMatcher, operand: unknown): readonly string[] | undefined {
  if (['permission', 'surface', 'role', 'sink'].includes(name)) return operand as string[];
  if (!['tool', 'task', 'lane', 'actor'].includes(name)) return undefined;
  const globs = [operand as Globs].flat();
  return globs.every((glob) => /^[\w.:-]+$/u.test(glob)) ? globs : undefined;
}
