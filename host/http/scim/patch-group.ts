// PATCH of a group (RFC 7644, section 3.5.2), as Entra ID, Okta and others send it: members join and leave, and the name changes.
import {ok, type GroupCommand, type Outcome} from '@lumenflow/kernel';
import {groupSchema, isText, readMembers} from './scim-group.ts';
import {attributeOf, invalid, isFields, type ScimProblem} from './scim-user.ts';

type GroupChange = Pick<GroupCommand, 'display_name' | 'external_id' | 'members' | 'add' | 'drop'>;

const operationsMax = 1_000;
const oneMember = /^members\[\s*value\s+eq\s+"([^"\\]{1,1024})"\s*\]$/iu;

/** Operations on other attributes have no effect. */
export function patchGroup(body: unknown): Outcome<GroupChange, ScimProblem> {
  const operations = isFields(body) ? attributeOf(body, 'Operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > operationsMax) {
    return invalid(`\`Operations\` must be a list of 1 to ${operationsMax} operations`, 'invalidSyntax');
  }
  let change: GroupChange = {};
  for (const operation of operations as readonly unknown[]) {
    const next = applyOperation(change, operation);
    if (!next.ok) return next;
    change = next.value;
  }
  return ok(change);
}

function applyOperation(change: GroupChange, operation: unknown): Outcome<GroupChange, ScimProblem> {
  if (!isFields(operation)) return invalid('an operation must be an object', 'invalidSyntax');
  const [op, path, value] = ['op', 'path', 'value'].map((key) => attributeOf(operation, key));
  const kind = typeof op === 'string' ? op.toLowerCase() : '';
  if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
    return invalid('`op` must be add, replace or remove', 'invalidSyntax');
  if (path !== undefined && typeof path !== 'string') return invalid('`path` must be a text', 'invalidPath');
  if (path !== undefined) return applyTo(change, kind, bare(path), value);
  if (!isFields(value)) return invalid('without `path`, `value` must be an object');
  let result: Outcome<GroupChange, ScimProblem> = ok(change);
  for (const [key, next] of Object.entries(value)) {
    if (!result.ok) return result;
    result = applyTo(result.value, kind, bare(key), next);
  }
  return result;
}

type Kind = 'add' | 'replace' | 'remove';

function applyTo(change: GroupChange, kind: Kind, path: string, value: unknown): Outcome<GroupChange, ScimProblem> {
  const lower = path.toLowerCase();
  if (lower === 'displayname') return named(change, kind, value);
  if (lower === 'externalid') {
    // null is "no value", as in all of SCIM.
    if (kind === 'remove' || value === null) return ok({...change, external_id: null});
    return isText(value) ? ok({...change, external_id: value}) : invalid('`externalId` must be a text');
  }
  if (lower.startsWith('members[')) return withoutOne(change, kind, path);
  return lower === 'members' ? withMembers(change, kind, value) : ok(change);
}

function named(change: GroupChange, kind: Kind, value: unknown): Outcome<GroupChange, ScimProblem> {
  if (kind === 'remove') return invalid('`displayName` cannot be removed', 'mutability');
  return isText(value) ? ok({...change, display_name: value}) : invalid('`displayName` must be a text');
}

function withoutOne(change: GroupChange, kind: Kind, path: string): Outcome<GroupChange, ScimProblem> {
  const member = oneMember.exec(path)?.[1];
  if (member === undefined) return invalid('only the filter `members[value eq "…"]` is supported', 'invalidFilter');
  if (kind !== 'remove') return invalid('a member has no attributes to change', 'invalidPath');
  return ok(without(change, [member]));
}

function withMembers(change: GroupChange, kind: Kind, value: unknown): Outcome<GroupChange, ScimProblem> {
  if (kind === 'remove' && value === undefined) return ok({...rest(change), members: []});
  const ids = readMembers(value);
  if (!ids.ok) return ids;
  if (kind === 'replace') return ok({...rest(change), members: ids.value});
  return ok(kind === 'add' ? joined(change, ids.value) : without(change, ids.value));
}

/** Later operations count: adding a member cancels an earlier removal. */
function joined(change: GroupChange, ids: readonly string[]): GroupChange {
  const {members, add = [], drop = []} = change;
  if (members) return {...change, members: [...new Set([...members, ...ids])]};
  return {...change, add: [...new Set([...add, ...ids])], drop: drop.filter((id) => !ids.includes(id))};
}

function without(change: GroupChange, ids: readonly string[]): GroupChange {
  const {members, add = [], drop = []} = change;
  const gone = new Set(ids);
  if (members) return {...change, members: members.filter((id) => !gone.has(id))};
  return {...change, add: add.filter((id) => !gone.has(id)), drop: [...new Set([...drop, ...ids])]};
}

function rest({add: _add, drop: _drop, ...others}: GroupChange): GroupChange {
  return others;
}

/** Without the URN of the schema. */
function bare(path: string): string {
  return path.toLowerCase().startsWith(`${groupSchema.toLowerCase()}:`) ? path.slice(groupSchema.length + 1) : path;
}
