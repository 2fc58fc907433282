// The filter by which providers look for a resource before they create one: `ATTRIBUTE eq "VALUE"` (RFC 7644, Filtering).
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ScimProblem} from './scim-user.ts';

const comparison = /^\s*([A-Za-z]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** `by`: for each attribute, whether a resource has the value. */
export function filterResources<T>(
  resources: readonly T[],
  filter: string | undefined,
  by: Readonly<Record<string, (resource: T, value: string) => boolean>>,
): Outcome<readonly T[], ScimProblem> {
  if (filter === undefined) return ok(resources);
  const [, attribute = '', literal = ''] = comparison.exec(filter) ?? [];
  const value = textOf(literal);
  const has = Object.entries(by).find(([name]) => name.toLowerCase() === attribute.toLowerCase())?.[1];
  if (value !== undefined && has) return ok(resources.filter((resource) => has(resource, value)));
  const known = Object.keys(by).map((name) => `\`${name} eq "…"\``);
  const detail = `only the filters ${known.slice(0, -1).join(', ')} and ${known.at(-1) ?? ''} are supported`;
  return failed({status: 400, scimType: 'invalidFilter', detail});
}

function textOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    // An escape that JSON does not have, or no comparison at all: the caller rejects the filter.
    return undefined;
  }
}
