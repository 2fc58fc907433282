// The filter by which providers look for a group before they create one.
import type {Outcome, ProvisionedGroup} from '@lumenflow/kernel';
import {filterResources} from './filter-resources.ts';
import type {ScimProblem} from './scim-user.ts';

export function filterGroups(
  groups: readonly ProvisionedGroup[],
  filter: string | undefined,
): Outcome<readonly ProvisionedGroup[], ScimProblem> {
  return filterResources(groups, filter, {
    displayName: ({display_name}, value) => display_name.toLowerCase() === value.toLowerCase(),
    externalId: ({external_id}, value) => external_id === value,
    id: ({group_id}, value) => group_id === value,
  });
}
