// Groups as the identity provider provisions them, and which of their changes are allowed: pure, from the newest state.
import type {KernelEvent} from '@lumenflow/schemas';
import type {NewEvent} from '../ports.ts';
import type {RecordTable} from '../records/record-table.ts';
import {fail, succeed, type TransitionResult} from '../transition.ts';
import type {ProvisionedPerson} from './person-record.ts';

export interface ProvisionedGroup {
  readonly group_id: string;
  readonly display_name: string;
  readonly external_id?: string;
  /** Ids of users. */
  readonly members: readonly string[];
  readonly removed?: true;
  readonly created_at: string;
  readonly changed_at: string;
}

/** A change by the identity provider. Changes of members add up, so that two hosts undo nothing of each other. */
export interface GroupCommand {
  /** Of the group that changes; absent: a new group. */
  readonly group_id?: string;
  /** Absent: as it is. A new group needs one. */
  readonly display_name?: string;
  /** Absent: as it is. null: none. */
  readonly external_id?: string | null;
  /** All members, in place of those so far. */
  readonly members?: readonly string[];
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
  readonly removed?: true;
  /** The token of the identity provider. */
  readonly by: string;
}

type GroupTable = Pick<RecordTable<ProvisionedGroup>, 'get' | 'set'>;

export function evolveGroups(groups: GroupTable, event: KernelEvent): void {
  if (event.type !== 'group_provisioned') return;
  const {group_id, display_name, external_id, add = [], drop = [], removed, timestamp} = event;
  const before = groups.get(group_id);
  const gone = new Set(drop);
  const kept = (before?.members ?? []).filter((member) => !gone.has(member));
  groups.set(group_id, {
    group_id,
    display_name,
    ...(external_id !== undefined && {external_id}),
    members: [...new Set([...kept, ...add])],
    ...(removed && {removed}),
    created_at: before?.created_at ?? timestamp,
    changed_at: timestamp,
  });
}

export function decideGroup(
  groups: Iterable<ProvisionedGroup>,
  command: GroupCommand,
  {timestamp, group_id}: {readonly timestamp: string; readonly group_id: string},
): TransitionResult<NewEvent> {
  const {by, removed} = command;
  const current = [...groups].filter((group) => group.removed !== true);
  const before = current.find((group) => group.group_id === command.group_id);
  if (command.group_id !== undefined && !before)
    return fail('GROUP_NOT_FOUND', `there is no group \`${command.group_id}\``, {group_id});
  const display_name = command.display_name ?? before?.display_name ?? '';
  const twin = current.find((group) => group !== before && isSameName(group.display_name, display_name));
  if (twin && !removed)
    return fail('NAME_TAKEN', `there is a group with the name \`${display_name}\``, {group_id: twin.group_id});
  return succeed({timestamp, actor: by, group_id, display_name, ...changed(before, command)});
}

function changed(before: ProvisionedGroup | undefined, command: GroupCommand) {
  const {add, drop} = membersOf(before?.members ?? [], command);
  const external_id = command.external_id === null ? undefined : (command.external_id ?? before?.external_id);
  return {
    type: 'group_provisioned' as const,
    ...(external_id !== undefined && {external_id}),
    ...(add.length > 0 && {add}),
    ...(drop.length > 0 && {drop}),
    ...(command.removed && {removed: command.removed}),
  };
}

function membersOf(
  before: readonly string[],
  {members, add = [], drop = []}: GroupCommand,
): {readonly add: string[]; readonly drop: string[]} {
  if (members === undefined) return {add: [...new Set(add)], drop: [...new Set(drop)]};
  const wanted = new Set(members);
  const known = new Set(before);
  return {
    add: [...wanted].filter((member) => !known.has(member)),
    drop: before.filter((member) => !wanted.has(member)),
  };
}

/** The names of the groups of a person who is provisioned and active. */
export function groupsOfPerson(
  groups: Iterable<ProvisionedGroup>,
  person: ProvisionedPerson | undefined,
): readonly string[] {
  if (!person || person.removed || !person.active) return [];
  return [...groups]
    .filter(({removed, members}) => removed !== true && members.includes(person.user_id))
    .map(({display_name}) => display_name);
}

/** As providers compare names of groups. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
