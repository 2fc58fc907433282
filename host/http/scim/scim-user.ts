// Users of SCIM 2.0 (RFC 7643), as far as LumenFlow needs them: whether a person may sign in, and what the person is called. Other
// attributes are accepted and not stored.
import {cutText, failed, isIdentifier, ok, type Outcome, type ProvisionedPerson} from '@lumenflow/kernel';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';

/** What a provider can change. */
export interface UserAttributes {
  readonly userName: string;
  readonly externalId?: string;
  readonly displayName?: string;
  readonly active: boolean;
}

/** `scimType` and status of RFC 7644, section 3.12. */
export interface ScimProblem {
  readonly status: 400 | 404 | 409;
  readonly scimType?: 'invalidValue' | 'invalidPath' | 'invalidFilter' | 'invalidSyntax' | 'mutability' | 'uniqueness';
  readonly detail: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function invalid(
  detail: string,
  scimType: ScimProblem['scimType'] = 'invalidValue',
): {ok: false; problem: ScimProblem} {
  return failed({status: 400, scimType: scimType ?? 'invalidValue', detail});
}

/** Names of attributes do not depend on case. */
export function attributeOf(fields: Fields, name: string): unknown {
  const key = Object.keys(fields).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : fields[key];
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Some providers send booleans as texts. Undefined if the value is not a boolean. */
function activeOf(body: Fields, before: Pick<UserAttributes, 'active'>): boolean | undefined {
  const value = attributeOf(body, 'active');
  if (value === undefined) return before.active;
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** A user in the body of a request. Without `active`, a user that exists stays as it is, and a new one may sign in. */
export function readUser(
  body: unknown,
  before: Pick<UserAttributes, 'active'> = {active: true},
): Outcome<UserAttributes, ScimProblem> {
  if (!isFields(body)) return invalid('the body is not a user', 'invalidSyntax');
  const [userName, externalId, name] = ['userName', 'externalId', 'name'].map((key) => attributeOf(body, key));
  const formatted = isFields(name) ? attributeOf(name, 'formatted') : undefined;
  const displayName = attributeOf(body, 'displayName') ?? formatted;
  const active = activeOf(body, before);
  if (typeof userName !== 'string' || userName === '') return invalid('`userName` is missing');
  if (active === undefined) return invalid('`active` must be true or false');
  for (const [key, value] of Object.entries({externalId, displayName})) {
    const isText = value === undefined || value === null || (typeof value === 'string' && value.length <= 1_024);
    if (!isText) return invalid(`\`${key}\` must be a text of at most 1024 characters`);
  }
  return ok({
    userName,
    active,
    ...(typeof externalId === 'string' && {externalId}),
    ...(typeof displayName === 'string' && {displayName}),
  });
}

/** The actor of a user: as at the issuer, without the domain of `name_domain`. */
export function nameOfUser(userName: string, domain: string | undefined): Outcome<string, ScimProblem> {
  const suffix = `@${domain?.toLowerCase() ?? ''}`;
  const isInDomain = domain !== undefined && userName.toLowerCase().endsWith(suffix);
  const name = isInDomain ? userName.slice(0, -suffix.length) : userName;
  if (isIdentifier(name)) return ok(name);
  return invalid(
    `\`userName\` is \`${cutText(userName, 128)}\`, which cannot be a name: send letters, digits, \`.\`, \`_\` and \`-\`, or set \`name_domain\` in workspace.yaml`,
  );
}

export function renderUser(person: ProvisionedPerson, base: string): object {
  const {user_id, user_name, external_id, display_name, active, created_at, changed_at} = person;
  return {
    schemas: [userSchema],
    id: user_id,
    userName: user_name,
    ...(external_id !== undefined && {externalId: external_id}),
    ...(display_name !== undefined && {displayName: display_name}),
    active,
    meta: {
      resourceType: 'User',
      created: created_at,
      lastModified: changed_at,
      location: `${base}/Users/${user_id}`,
    },
  };
}

export function attributesOf({user_name, external_id, display_name, active}: ProvisionedPerson): UserAttributes {
  return {
    userName: user_name,
    active,
    ...(external_id !== undefined && {externalId: external_id}),
    ...(display_name !== undefined && {displayName: display_name}),
  };
}
