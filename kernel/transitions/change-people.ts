// People who sign in and out. Their sign-ins are events, so that every host of the state knows when one has ended.
import type {Kernel} from '../context/kernel.ts';
import {isSamePerson} from '../names/is-same-person.ts';
import {
  decideProvision,
  decideSignIn,
  decideSignOut,
  type ProvisionCommand,
  type SignInCommand,
  type SignOutCommand,
} from '../people/decide-people.ts';
import {
  isStanding,
  personKey,
  type PersonRecord,
  type ProvisionedPerson,
  type SignIn,
} from '../people/person-record.ts';
import {decideGroup, type GroupCommand, type ProvisionedGroup} from '../people/provisioned-group.ts';
import type {NewEvent} from '../ports.ts';
import {succeed, type TransitionResult} from '../transition.ts';
import {checkIds} from './check-ids.ts';
import {reconcileParked} from './reconcile-parked.ts';
import {withdrawal} from './withdraw-approvals.ts';

export function findSignIn({state, lifetimes}: Kernel, tokenSha256: string): SignIn | undefined {
  const signIn = state.signIns.get(tokenSha256);
  const isValid =
    signIn !== undefined &&
    isStanding(signIn, state.people.get(personKey(signIn.name)), lifetimes.timestampFor(tokenSha256));
  return isValid ? signIn : undefined;
}

export async function signInPerson(kernel: Kernel, command: SignInCommand): Promise<TransitionResult<PersonRecord>> {
  const {clock} = kernel.ports;
  return await changePerson(kernel, command.name, (known, timestamp) =>
    decideSignIn(known, command, {
      timestamp,
      expires_at: clock.timestamp(command.lifetime_ms),
      mustBeActive: kernel.workspace.spec.sign_in?.directory && {
        provisioned: kernel.state.provisioned.get(personKey(command.name)),
      },
    }),
  );
}

export async function signOutPerson(kernel: Kernel, command: SignOutCommand): Promise<TransitionResult<PersonRecord>> {
  const invalid = checkIds({by: command.by});
  if (invalid) return invalid;
  return await changePerson(kernel, command.name, (known, timestamp) => decideSignOut(known, command, timestamp));
}

async function changePerson(
  {ports, state}: Kernel,
  name: string,
  decide: (known: PersonRecord | undefined, timestamp: string) => TransitionResult<NewEvent>,
): Promise<TransitionResult<PersonRecord>> {
  const invalid = checkIds({name});
  if (invalid) return invalid;
  const known = (): PersonRecord | undefined => state.people.get(personKey(name));
  const decided = await ports.events.transact(() => {
    const result = decide(known(), ports.clock.timestamp());
    return {events: result.success ? [result.data] : [], result};
  });
  return decided.success ? succeed(known() as PersonRecord) : decided;
}

export async function provisionPerson(
  kernel: Kernel,
  command: ProvisionCommand,
): Promise<TransitionResult<ProvisionedPerson>> {
  const {name, by, user_id, active} = command;
  const invalid = checkIds({name, by, ...(user_id !== undefined && {user_id})});
  if (invalid) return invalid;
  const {ports, state} = kernel;
  const known = (): ProvisionedPerson | undefined => state.provisioned.get(personKey(name));
  const decided = await ports.events.transact<TransitionResult<NewEvent>>(() => {
    const terms = {timestamp: ports.clock.timestamp(), user_id: user_id ?? ports.ids.next('usr')};
    const result = decideProvision(known(), command, terms);
    if (!result.success) return {events: [], result};
    return {events: [result.data, ...(active ? [] : withdrawalsOfLeft(kernel, {name, by}))], result};
  });
  if (!decided.success) return decided;
  if (!active) await reconcileParked(kernel);
  return succeed(known() as ProvisionedPerson);
}

export async function provisionGroup(
  kernel: Kernel,
  command: GroupCommand,
): Promise<TransitionResult<ProvisionedGroup>> {
  const {by, group_id} = command;
  const invalid = checkIds({by, ...(group_id !== undefined && {group_id})});
  if (invalid) return invalid;
  const {ports, state} = kernel;
  const id = group_id ?? ports.ids.next('grp');
  const decided = await ports.events.transact(() => {
    const terms = {timestamp: ports.clock.timestamp(), group_id: id};
    const result = decideGroup(state.groups.values(), command, terms);
    return {events: result.success ? [result.data] : [], result};
  });
  return decided.success ? succeed(state.groups.get(id) as ProvisionedGroup) : decided;
}

/** An approval that a person requested is not valid after the person has left. */
function withdrawalsOfLeft(
  kernel: Kernel,
  {name, by}: {readonly name: string; readonly by: string},
): readonly NewEvent[] {
  const reason = `the identity provider deactivated \`${name}\``;
  return [...kernel.state.approvals.open()]
    .filter(({requested_by}) => isSamePerson(requested_by, name))
    .map(({request_id}) => withdrawal(kernel, request_id, {actor: by, reason}));
}
