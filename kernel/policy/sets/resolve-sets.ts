// Replaces the names of sets in a rule's `when` by their members. A reference to an unknown set stays, and the compiler reports it at its
// position.
import type {PolicyRule} from '@lumenflow/schemas';
import {isRecord} from '../is-record.ts';
import {setReference} from './set-reference.ts';

export type PolicySets = Readonly<Record<string, readonly string[] | undefined>>;

/** The keys of matchers whose value is a glob or a list of globs. */
export const keysOfGlobs: ReadonlySet<string> = new Set([
  'tool',
  'task',
  'lane',
  'actor',
  'reads',
  'writes',
  'pack',
  'path',
  'tainted',
  'carries',
  'glob',
]);

/** Their values are compared, not interpreted. */
const keysOfValues: ReadonlySet<string> = new Set(['equals', 'in']);

export function resolveSets(rule: PolicyRule, sets: PolicySets): PolicyRule {
  return rule.when === undefined ? rule : {...rule, when: resolve(rule.when, sets) as NonNullable<PolicyRule['when']>};
}

function resolve(value: unknown, sets: PolicySets): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, sets));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (keysOfValues.has(key)) return [key, inner];
      return [key, keysOfGlobs.has(key) ? membersOf(inner, sets) : resolve(inner, sets)];
    }),
  );
}

function membersOf(globs: unknown, sets: PolicySets): unknown {
  if (Array.isArray(globs)) return globs.flatMap((glob) => membersOf(glob, sets));
  const name = setReference(globs);
  return name !== undefined && Object.hasOwn(sets, name) ? [...(sets[name] ?? [])] : globs;
}
