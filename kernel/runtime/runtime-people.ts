// The people of a workspace, as an embedder sees them.
import type {Kernel} from '../context/kernel.ts';
import type {ProvisionCommand, SignInCommand, SignOutCommand} from '../people/decide-people.ts';
import type {PasskeyEnrolment, PasskeyRemoval} from '../passkeys/decide-passkey.ts';
import type {PasskeyRecord} from '../passkeys/passkey-record.ts';
import {personKey, type PersonRecord, type ProvisionedPerson, type SignIn} from '../people/person-record.ts';
import {groupsOfPerson, type GroupCommand, type ProvisionedGroup} from '../people/provisioned-group.ts';
import type {TransitionResult} from '../transition.ts';
import {
  findSignIn,
  provisionGroup,
  provisionPerson,
  signInPerson,
  signOutPerson,
} from '../transitions/change-people.ts';
import {addPasskey, passkeysOf, removePasskey} from '../transitions/change-passkeys.ts';
import type {Lifecycle} from './lifecycle.ts';

export interface RuntimePeople {
  list(): readonly PersonRecord[];
  /**
   * The sign-in whose token has this SHA-256; undefined if there is none, or if it has ended or expired, as of
   * the last refresh.
   */
  signInOf(tokenSha256: string): SignIn | undefined;
  signIn(command: SignInCommand): Promise<TransitionResult<PersonRecord>>;
  signOut(command: SignOutCommand): Promise<TransitionResult<PersonRecord>>;
  /** The people whom the identity provider has provisioned and not removed. */
  listProvisioned(): readonly ProvisionedPerson[];
  /** The groups that the identity provider has provisioned and not removed. */
  listGroups(): readonly ProvisionedGroup[];
  provisionGroup(command: GroupCommand): Promise<TransitionResult<ProvisionedGroup>>;
  /** The names of the groups of a provisioned person, as of the last refresh. */
  groupsOf(name: string): readonly string[];
  /** A change by the identity provider. If it leaves the person inactive, all sign-ins end, and open requests are withdrawn. */
  provision(command: ProvisionCommand): Promise<TransitionResult<ProvisionedPerson>>;
  /** All passkeys, removed ones too. */
  listPasskeys(): readonly PasskeyRecord[];
  /** Those that the person can sign approvals with, as of the last refresh. */
  passkeysOf(owner: Pick<PasskeyEnrolment, 'name' | 'person'>): readonly PasskeyRecord[];
  /** The caller has checked that the person created it: see `readEnrolment` of kernel/node. */
  addPasskey(enrolment: PasskeyEnrolment): Promise<TransitionResult<PasskeyRecord>>;
  removePasskey(removal: PasskeyRemoval): Promise<TransitionResult<PasskeyRecord>>;
}

/** `fresh`: the state, after a refresh was started. */
export function peopleOf(kernel: Kernel, {transition}: Lifecycle, fresh: () => Kernel['state']): RuntimePeople {
  return {
    list: () => [...fresh().people.values()],
    signInOf: (tokenSha256) => findSignIn(kernel, tokenSha256),
    signIn: (command) => transition((current) => signInPerson(current, command)),
    signOut: (command) => transition((current) => signOutPerson(current, command)),
    listProvisioned: () => [...fresh().provisioned.values()].filter(({removed}) => removed !== true),
    listGroups: () => [...fresh().groups.values()].filter(({removed}) => removed !== true),
    provisionGroup: (command) => transition((current) => provisionGroup(current, command)),
    groupsOf: (name) => groupsOfPerson(kernel.state.groups.values(), kernel.state.provisioned.get(personKey(name))),
    provision: (command) => transition((current) => provisionPerson(current, command)),
    listPasskeys: () => [...fresh().passkeys.values()],
    passkeysOf: (owner) => passkeysOf(kernel, owner),
    addPasskey: (enrolment) => transition((current) => addPasskey(current, enrolment)),
    removePasskey: (removal) => transition((current) => removePasskey(current, removal)),
  };
}
