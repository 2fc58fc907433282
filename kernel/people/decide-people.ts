// Which changes of people are allowed: pure, from the newest state.
import type {Person} from '@lumenflow/schemas';
import type {NewEvent} from '../ports.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import {isSameIssuer, type PersonRecord, type ProvisionedPerson, type SignIn} from './person-record.ts';

/** A person that the issuer has identified. */
export interface SignInCommand {
  /** The actor of what the person does. */
  readonly name: string;
  readonly person: Person;
  readonly groups: readonly string[];
  /** Of the token that the person is given. */
  readonly token_sha256: string;
  /** How long it lasts. */
  readonly lifetime_ms: number;
  readonly via: SignIn['via'];
}

export interface SignOutCommand {
  readonly name: string;
  /** The sign-in that ends; absent: all sign-ins of the person. */
  readonly token_sha256?: string;
  /** Who ends it. */
  readonly by: string;
  readonly reason: string;
}

interface SignInTerms {
  readonly timestamp: string;
  readonly expires_at: string;
  /** In a workspace with `sign_in.directory`: the person in this directory. */
  readonly mustBeActive?: {readonly provisioned: ProvisionedPerson | undefined} | undefined;
}

/** A name that belongs to somebody else is never given to a second person. */
export function decideSignIn(
  known: PersonRecord | undefined,
  {name, person, groups, token_sha256, via}: SignInCommand,
  {mustBeActive, ...times}: SignInTerms,
): TransitionResult<NewEvent> {
  if (mustBeActive && mustBeActive.provisioned?.active !== true) {
    const state = mustBeActive.provisioned ? 'has been deactivated by' : 'is not known to';
    return fail('PERSON_INACTIVE', `\`${name}\` ${state} the identity provider: ask an admin`, {name});
  }
  if (known && !isSame(known.person, person)) {
    const message = `the name \`${name}\` belongs to another person of the issuer: an admin must give one of them another name at the issuer`;
    return fail('NAME_TAKEN', message, {name});
  }
  const actor = known?.name ?? name;
  const signIn = {name: actor, person, groups: [...groups], token_sha256, via};
  return succeed({type: 'person_signed_in', actor, ...times, ...signIn});
}

/** A change by the identity provider. */
export interface ProvisionCommand extends Pick<
  ProvisionedPerson,
  'name' | 'user_name' | 'external_id' | 'display_name' | 'active' | 'removed'
> {
  /** Of the user that changes; absent: a new user. */
  readonly user_id?: string;
  /** That user when the change was computed: what the change leaves as it was then does not undo a change of another host. */
  readonly from?: ProvisionedPerson;
  /** The token of the identity provider. */
  readonly by: string;
}

export function decideProvision(
  before: ProvisionedPerson | undefined,
  {by, from, ...command}: ProvisionCommand,
  {timestamp, user_id}: {readonly timestamp: string; readonly user_id: string},
): TransitionResult<NewEvent> {
  const {name} = command;
  const current = before?.removed ? undefined : before;
  if (command.user_id === undefined && current)
    return fail('NAME_TAKEN', `there is a user with the name \`${name}\``, {name});
  if (command.user_id !== undefined && current?.user_id !== command.user_id) {
    return fail('PERSON_NOT_FOUND', `there is no user \`${command.user_id}\` with the name \`${name}\``, {name});
  }
  const kept = from && current ? unchanged(command, from, current) : {};
  return succeed({type: 'person_provisioned', timestamp, actor: by, user_id, ...command, ...kept});
}

type Attributes = Pick<ProvisionedPerson, 'user_name' | 'external_id' | 'display_name' | 'active'>;

/** The current values of the attributes that a change leaves as they were. */
function unchanged(change: Attributes, from: Attributes, current: Attributes): Partial<Attributes> {
  const keys = ['user_name', 'external_id', 'display_name', 'active'] as const;
  const kept = keys.filter((key) => change[key] === from[key] && current[key] !== undefined);
  return Object.fromEntries(kept.map((key) => [key, current[key]]));
}

function isSame(one: Person, other: Person): boolean {
  return isSameIssuer(one.issuer, other.issuer) && one.subject === other.subject;
}

export function decideSignOut(
  known: PersonRecord | undefined,
  {name, token_sha256, by, reason}: SignOutCommand,
  timestamp: string,
): TransitionResult<NewEvent> {
  if (!known) return fail('PERSON_NOT_FOUND', `no person named \`${name}\` has signed in`, {name});
  return succeed({
    type: 'person_signed_out',
    timestamp,
    actor: by,
    name: known.name,
    reason,
    ...(token_sha256 !== undefined && {token_sha256}),
  });
}
