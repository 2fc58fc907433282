// Conditions on what a call has changed: paths, operations, sizes and added text. They match in rules of on_changes only.
import type {ChangesMatcher, EntryMatcher, Globs, JudgedChange} from '@lumenflow/schemas';
import {compileGlobs} from './compile-globs.ts';
import {isRecord} from './is-record.ts';
import type {MatcherSite} from './matcher-site.ts';
import {partsOfChange} from './parts-of-change.ts';
import type {Condition} from './policy-request.ts';

type Part = (operand: unknown, pointer: string, site: MatcherSite) => Condition;

const parts: Readonly<Record<keyof ChangesMatcher, Part>> = {
  any: (operand, pointer, site) => {
    const fits = compileEntryMatchers(operand, pointer, site);
    return ({context}) => context.changes?.some((change) => fits(change) || partsOfChange(change).some(fits)) === true;
  },
  all: (operand, pointer, site) => {
    const fits = compileEntryMatchers(operand, pointer, site);
    return ({context}) =>
      context.changes?.every((change) => isRenameWithin(change, fits) || partsOfChange(change).every(fits)) === true;
  },
  max_files: bound((changes) => changes.flatMap(partsOfChange).length),
  max_bytes: bound((changes) => changes.reduce((sum, {bytes = 0}) => sum + bytes, 0)),
  added_text: (operand, pointer, site) => {
    const source = isRecord(operand) && Object.keys(operand).length === 1 ? operand['regex'] : undefined;
    if (typeof source !== 'string') {
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`added_text` needs a `regex`, and nothing else');
    }
    const regex = site.compileRegex(source);
    if (!regex.ok) {
      const message = `regex \`${source}\` does not compile: ${regex.problem}`;
      return site.reject(
        pointer,
        'POLICY_REGEX_INVALID',
        message,
        'use RE2 syntax: no look-around, no back-references',
      );
    }
    return ({added}) => added !== undefined && (added.isPartial || added.texts.some((text) => regex.value.test(text)));
  },
};

export function compileChangesMatcher(operand: unknown, pointer: string, site: MatcherSite): Condition {
  if (!isRecord(operand) || Object.keys(operand).length === 0) {
    return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`changes` needs at least one condition');
  }
  const conditions = Object.entries(operand).map(([name, part]): Condition => {
    if (Object.hasOwn(parts, name)) return parts[name as keyof ChangesMatcher](part, `${pointer}/${name}`, site);
    return site.reject(`${pointer}/${name}`, 'POLICY_MATCHER_INVALID', `unknown condition \`${name}\` on changes`);
  });
  return (request) => request.context.changes !== undefined && conditions.every((condition) => condition(request));
}

function bound(measure: (changes: readonly JudgedChange[]) => number): Part {
  return (operand, pointer, site) => {
    if (typeof operand !== 'number' || !Number.isInteger(operand) || operand < 0) {
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'a bound is a whole number that is not negative');
    }
    return ({context: {changes = []}}) => measure(changes) > operand;
  };
}

type Fits = (change: JudgedChange) => boolean;

/** Whether a rename fits by each of its paths alone. */
function isRenameWithin({path, op, from}: JudgedChange, fits: Fits): boolean {
  return op === 'rename' && from !== undefined && fits({path, op}) && fits({path: from, op});
}

function compileEntryMatchers(operand: unknown, pointer: string, site: MatcherSite): Fits {
  const list: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (list.length === 0) return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'an empty list matches nothing');
  const fits = list.map((matcher, index) =>
    compileEntryMatcher(matcher, Array.isArray(operand) ? `${pointer}/${index}` : pointer, site),
  );
  return (change) => fits.some((fit) => fit(change));
}

const entryParts: Readonly<Record<keyof EntryMatcher, (operand: unknown, at: string, site: MatcherSite) => Fits>> = {
  path: (operand, pointer, site) => {
    const globs = compileGlobs(operand as Globs, 'value', site.compileRegex);
    if (!globs.ok) return site.reject(pointer, 'POLICY_GLOB_INVALID', globs.problem.message, globs.problem.help);
    return ({path, from}) => globs.value(path) || (from !== undefined && globs.value(from));
  },
  op: (operand, pointer, site) => {
    const known: readonly unknown[] = ['create', 'modify', 'delete', 'rename', 'chmod', 'link'];
    if (!Array.isArray(operand) || operand.length === 0 || !operand.every((op) => known.includes(op))) {
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', `\`op\` needs a list of ${known.join(', ')}`);
    }
    const ops = new Set<unknown>(operand);
    return ({op}) => ops.has(op);
  },
};

function compileEntryMatcher(matcher: unknown, pointer: string, site: MatcherSite): Fits {
  if (!isRecord(matcher) || Object.keys(matcher).length === 0) {
    return site.reject(pointer, 'POLICY_MATCHER_INVALID', 'a matcher of changed entries needs `path` or `op`');
  }
  const fits = Object.entries(matcher).map(([name, operand]): Fits => {
    if (Object.hasOwn(entryParts, name))
      return entryParts[name as keyof EntryMatcher](operand, `${pointer}/${name}`, site);
    return site.reject(
      `${pointer}/${name}`,
      'POLICY_MATCHER_INVALID',
      `unknown condition \`${name}\` on a changed entry`,
    );
  });
  return (change) => fits.every((fit) => fit(change));
}
