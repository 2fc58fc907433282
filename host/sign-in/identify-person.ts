// Who the claims of an issuer name, and the groups that count. Claims are foreign data: what is missing or odd is rejected.
import {cutText, failed, isIdentifier, ok, type Outcome} from '@lumenflow/kernel';
import type {Person, SignInSettings} from '@lumenflow/schemas';
import type {Claims} from './issuer.ts';
import {roleOfGroups} from './role-of-groups.ts';

export interface IdentifiedPerson {
  readonly name: string;
  readonly person: Person;
  /** Those that `sign_in.roles` names. */
  readonly groups: readonly string[];
}

type Naming = Pick<SignInSettings, 'issuer' | 'name_claim' | 'name_domain' | 'groups_claim' | 'groups_from' | 'roles'>;

/** The claims that a person is identified by. */
export function identifyingClaims({name_claim, groups_claim}: Naming): {
  readonly name: string;
  readonly groups: string;
} {
  return {name: name_claim ?? 'preferred_username', groups: groups_claim ?? 'groups'};
}

/** The problem is a message for the person. `groupsOf`: the groups that an identity provider has provisioned a person in. */
export function identifyPerson(
  claims: Claims,
  settings: Naming,
  groupsOf: (name: string) => readonly string[] = () => [],
): Outcome<IdentifiedPerson, string> {
  const {sub} = claims;
  if (typeof sub !== 'string' || sub === '' || sub.length > 255) return failed('the issuer names no subject');
  const name = nameOf(claims, settings);
  if (!name.ok) return name;
  const isFromScim = settings.groups_from === 'scim';
  const given = isFromScim ? ok<readonly unknown[]>(groupsOf(name.value)) : claimedGroups(claims, settings);
  if (!given.ok) return given;
  const counting = new Set(Object.values(settings.roles).flat());
  const groups = [...new Set(given.value)].filter(
    (group) => typeof group === 'string' && counting.has(group),
  ) as string[];
  if (roleOfGroups(groups, settings.roles) === undefined) {
    return failed(`\`${name.value}\` is in no group that \`sign_in.roles\` of workspace.yaml names: ask an admin`);
  }
  const displayName = claims['name'];
  const display = typeof displayName === 'string' && displayName !== '' && {display_name: cutText(displayName, 200)};
  return ok({name: name.value, person: {issuer: settings.issuer, subject: sub, ...display}, groups});
}

function claimedGroups(claims: Claims, settings: Naming): Outcome<readonly unknown[], string> {
  const wanted = identifyingClaims(settings).groups;
  const given = Object.hasOwn(claims, wanted) ? claims[wanted] : undefined;
  if (given !== undefined) return ok(Array.isArray(given) ? given : [given]);
  return failed(
    `the issuer sent no claim \`${wanted}\`: an admin must allow it to send the groups, or change \`groups_claim\` in workspace.yaml`,
  );
}

function nameOf(claims: Claims, settings: Naming): Outcome<string, string> {
  const wanted = identifyingClaims(settings).name;
  const given = Object.hasOwn(claims, wanted) ? claims[wanted] : undefined;
  if (typeof given !== 'string') {
    return failed(
      `the issuer sent no claim \`${wanted}\`: an admin must allow it to send the claim, or change \`name_claim\` in workspace.yaml`,
    );
  }
  if (wanted === 'email' && claims['email_verified'] !== true) {
    return failed('the issuer has not verified your e-mail address');
  }
  const {name_domain: domain} = settings;
  const suffix = `@${domain?.toLowerCase() ?? ''}`;
  const name = domain !== undefined && given.toLowerCase().endsWith(suffix) ? given.slice(0, -suffix.length) : given;
  if (isIdentifier(name)) return ok(name);
  const help =
    domain === undefined
      ? 'set `name_domain` in workspace.yaml for names with a domain'
      : `its domain is not \`${domain}\``;
  return failed(
    `the claim \`${wanted}\` is \`${cutText(given, 128)}\`, which cannot be a name: ${help}, or make the issuer send letters, digits, \`.\`, \`_\` and \`-\``,
  );
}
