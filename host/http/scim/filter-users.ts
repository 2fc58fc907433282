// The filter by which providers look for a user before they create one.
import type {Outcome, ProvisionedPerson} from '@lumenflow/kernel';
import {filterResources} from './filter-resources.ts';
import type {ScimProblem} from './scim-user.ts';

export function filterUsers(
  users: readonly ProvisionedPerson[],
  filter: string | undefined,
): Outcome<readonly ProvisionedPerson[], ScimProblem> {
  return filterResources(users, filter, {
    // Does not depend on case (RFC 7643, section 4.1.1).
    userName: ({user_name}, value) => user_name.toLowerCase() === value.toLowerCase(),
    externalId: ({external_id}, value) => external_id === value,
    id: ({user_id}, value) => user_id === value,
  });
}
