import type {SignInSettings} from '@lumenflow/schemas';

const highestFirst = ['admin', 'operator', 'agent'] as const;

/** The highest role of the groups; undefined if they have none. */
export function roleOfGroups(
  groups: readonly string[],
  roles: SignInSettings['roles'],
): (typeof highestFirst)[number] | undefined {
  return highestFirst.find((role) => roles[role]?.some((group) => groups.includes(group)));
}
