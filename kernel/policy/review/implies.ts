// Whether every request that one matcher matches is matched by another one. A proof from the conditions as they are written: true is
// certain, false means that there is no proof.
import type {Globs, PolicyMatcher, ValueMatcher} from '@lumenflow/schemas';
import {canonicalJson} from '../../evidence/canonical-json.ts';
import {compileGlobs} from '../compile-globs.ts';
import {compileValueMatcher} from '../compile-value-matcher.ts';
import {deepEqual} from '../deep-equal.ts';
import type {MatcherSite} from '../matcher-site.ts';

type Conjunct = readonly [name: keyof PolicyMatcher, operand: unknown];

export function implies(specific: PolicyMatcher, general: PolicyMatcher, site: MatcherSite): boolean {
  const given = conjuncts(specific);
  return conjuncts(general).every(([name, operand]) => {
    if (given.some((own) => isNarrower(own, [name, operand], site))) return true;
    if (name === 'any' && (operand as PolicyMatcher[]).some((one) => implies(specific, one, site))) return true;
    return given.some(
      ([other, list]) =>
        other === 'any' && (list as PolicyMatcher[]).every((one) => implies(one, {[name]: operand}, site)),
    );
  });
}

/** All conditions that must be true; those in `all` too. */
export function conjuncts(matcher: PolicyMatcher): readonly Conjunct[] {
  return Object.entries(matcher).flatMap(([name, operand]): readonly Conjunct[] =>
    name === 'all' ? (operand as PolicyMatcher[]).flatMap(conjuncts) : [[name as keyof PolicyMatcher, operand]],
  );
}

function isNarrower([name, own]: Conjunct, [wanted, operand]: Conjunct, site: MatcherSite): boolean {
  if (name !== wanted) return false;
  if (canonicalJson(own) === canonicalJson(operand)) return true;
  return narrower[name]?.(own as never, operand as never, site) ?? false;
}

type Narrower = (own: never, operand: never, site: MatcherSite) => boolean;

/** Keys that are not here imply only themselves. */
const narrower: Readonly<Partial<Record<keyof PolicyMatcher, Narrower>>> = {
  permission: isSubset,
  surface: isSubset,
  role: isSubset,
  sink: isSubset,
  tool: globsWithin('tool'),
  task: globsWithin('id'),
  lane: globsWithin('id'),
  actor: globsWithin('id'),
  tainted: sourcesWithin,
  carries: sourcesWithin,
  reads: (own: Globs, operand: Globs) => isSubset([own].flat(), [operand].flat()),
  writes: (own: Globs, operand: Globs) => isSubset([own].flat(), [operand].flat()),
  arguments: valuesWithin,
  metadata: valuesWithin,
  not: (own: PolicyMatcher, operand: PolicyMatcher, site) => implies(operand, own, site),
};

function isSubset(own: readonly unknown[], operand: readonly unknown[]): boolean {
  return own.every((one) => operand.includes(one));
}

function globsWithin(kind: 'tool' | 'id') {
  return (own: Globs, operand: Globs, {compileRegex}: MatcherSite): boolean => {
    const wider = compileGlobs(operand, kind, compileRegex);
    if (!wider.ok) return false;
    const isName = (glob: string): boolean => /^[\w.:-]+$/u.test(glob);
    return [own].flat().every((glob) => [operand].flat().includes(glob) || (isName(glob) && wider.value(glob)));
  };
}

function sourcesWithin(own: true | Globs, operand: true | Globs, site: MatcherSite): boolean {
  return operand === true || (own !== true && globsWithin('tool')(own, operand, site));
}

type ValueMatchers = Readonly<Record<string, ValueMatcher | undefined>>;

function valuesWithin(own: ValueMatchers, operand: ValueMatchers, site: MatcherSite): boolean {
  return Object.entries(operand).every(([pointer, wider]) => {
    const narrow = own[pointer];
    return narrow !== undefined && wider !== undefined && isValueWithin(narrow, wider, site);
  });
}

function isValueWithin(own: ValueMatcher, wider: ValueMatcher, site: MatcherSite): boolean {
  const values = 'equals' in own ? [own.equals] : own.in;
  if (values !== undefined) return values.every(compileValueMatcher(wider, '', site));
  const {lt, lte, gt, gte} = own;
  const highest = Math.min(lt ?? Infinity, lte ?? Infinity);
  const lowest = Math.max(gt ?? -Infinity, gte ?? -Infinity);
  return Object.entries(wider).every(([operator, operand]) => {
    if (deepEqual(own[operator as keyof ValueMatcher], operand)) return true;
    if (operator === 'lte') return highest <= (operand as number);
    if (operator === 'gte') return lowest >= (operand as number);
    if (operator === 'lt') return highest < (operand as number) || lt === operand;
    if (operator === 'gt') return lowest > (operand as number) || gt === operand;
    // Any condition but `exists: false` needs a value.
    return operator === 'exists' && operand === true && own.exists !== false;
  });
}
