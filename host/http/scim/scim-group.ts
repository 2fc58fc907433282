// Groups of SCIM 2.0 (RFC 7643, section 4.2): a name and the users in it.
import {ok, type Outcome, type ProvisionedGroup} from '@lumenflow/kernel';
import {attributeOf, invalid, isFields, type ScimProblem} from './scim-user.ts';

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

export interface GroupAttributes {
  readonly displayName: string;
  /** Absent: the request does not say. null: none. */
  readonly externalId?: string | null;
  /** Absent: the request does not say. */
  readonly members?: readonly string[];
}

const membersMax = 50_000;
const textMax = 1_024;

/** A group in the body of a request. */
export function readGroup(body: unknown): Outcome<GroupAttributes, ScimProblem> {
  if (!isFields(body)) return invalid('the body is not a group', 'invalidSyntax');
  const [displayName, externalId, members] = ['displayName', 'externalId', 'members'].map((key) =>
    attributeOf(body, key),
  );
  if (!isText(displayName)) return invalid(`\`displayName\` must be a text of 1 to ${textMax} characters`);
  if (externalId !== undefined && externalId !== null && !isText(externalId))
    return invalid(`\`externalId\` must be a text of at most ${textMax} characters`);
  const ids = members === undefined || members === null ? undefined : readMembers(members);
  if (ids?.ok === false) return ids;
  return ok({
    displayName,
    ...((isText(externalId) || externalId === null) && {externalId}),
    ...(ids && {members: ids.value}),
  });
}

/** `[{"value": "ID"}]`, or one such object. */
export function readMembers(value: unknown): Outcome<readonly string[], ScimProblem> {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > membersMax) return invalid(`a group has at most ${membersMax} members`);
  const ids = list.map((member) => (isFields(member) ? attributeOf(member, 'value') : undefined));
  return ids.every(isText) ? ok(ids) : invalid('each member must have a `value` with the id of a user');
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= textMax;
}

export function renderGroup(group: ProvisionedGroup, base: string, hasMembers = true): object {
  const {group_id, display_name, external_id, members, created_at, changed_at} = group;
  return {
    schemas: [groupSchema],
    id: group_id,
    displayName: display_name,
    ...(external_id !== undefined && {externalId: external_id}),
    ...(hasMembers && {members: members.map((value) => ({value, $ref: `${base}/Users/${value}`, type: 'User'}))}),
    meta: {
      resourceType: 'Group',
      created: created_at,
      lastModified: changed_at,
      location: `${base}/Groups/${group_id}`,
    },
  };
}
