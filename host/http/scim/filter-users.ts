// The filter by which providers look for a user before they create one: `ATTRIBUTE eq "VALUE"` (RFC 7644, Filtering).
import {failed, ok, type Outcome, type ProvisionedPerson} from '@lumenflow/kernel';
import type {ScimProblem} from './scim-user.ts';

const comparison = /^\s*([A-Za-z]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

export function filterUsers(
  users: readonly ProvisionedPerson[],
  filter: string | undefined,
): Outcome<readonly ProvisionedPerson[], ScimProblem> {
  if (filter === undefined) return ok(users);
  const [, attribute = '', literal = '""'] = comparison.exec(filter) ?? [];
  const value = textOf(literal);
  const by = {
    // Does not depend on case (RFC 7643, section 4.1.1).
    username: ({user_name}: ProvisionedPerson) => user_name.toLowerCase() === value?.toLowerCase(),
    externalid: ({external_id}: ProvisionedPerson) => external_id === value,
    id: ({user_id}: ProvisionedPerson) => user_id === value,
  };
  const key = attribute.toLowerCase();
  if (value !== undefined && Object.hasOwn(by, key)) return ok(users.filter(by[key as keyof typeof by]));
  const detail = 'only the filters `userName eq "…"`, `externalId eq "…"` and `id eq "…"` are supported';
  return failed({status: 400, scimType: 'invalidFilter', detail});
}

function textOf(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string;
  } catch {
    // An escape that JSON does not have: the caller rejects the filter.
    return undefined;
  }
}
