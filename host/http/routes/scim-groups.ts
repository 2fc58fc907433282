// Groups over SCIM 2.0. With `groups_from: scim`, they decide the roles of people, at each request.
import {cutText} from '@lumenflow/kernel';
import type {GroupCommand, Outcome, ProvisionedGroup, TransitionResult} from '@lumenflow/kernel';
import {Verbatim, type Reply} from '../reply.ts';
import type {Route, RouteCall, RouteOf} from '../route.ts';
import {filterGroups} from '../scim/filter-groups.ts';
import {patchGroup} from '../scim/patch-group.ts';
import {readGroup, renderGroup} from '../scim/scim-group.ts';
import {
  anyBody,
  answers,
  base,
  contentType,
  idQuery,
  listReply,
  problemReply,
  scimReply,
  type ListQuery,
} from '../scim/scim-reply.ts';
import type {ScimProblem} from '../scim/scim-user.ts';

type Call = RouteCall<unknown, unknown>;
interface Query extends ListQuery {
  readonly excludedAttributes?: string;
}

/** Providers leave out the members of large groups. */
function hasMembers(query: unknown): boolean {
  const {excludedAttributes = ''} = query as Query;
  return !excludedAttributes.split(',').some((name) => name.trim().toLowerCase() === 'members');
}

function findGroup({runtime, param}: Call): ProvisionedGroup | undefined {
  return runtime.people.listGroups().find(({group_id}) => group_id === param('id'));
}

function notFound(id: string): Reply {
  return problemReply({status: 404, detail: `there is no group \`${cutText(id, 128)}\``});
}

function changedReply(result: TransitionResult<ProvisionedGroup>, status: number): Reply {
  if (result.success) return scimReply(status, renderGroup(result.data, base));
  const {code, message} = result.error;
  if (code === 'NAME_TAKEN') return problemReply({status: 409, scimType: 'uniqueness', detail: message});
  return problemReply({status: code === 'GROUP_NOT_FOUND' ? 404 : 400, detail: message});
}

/** A group in a body as a change; without members, they stay as they are. */
function commandOf(body: unknown): Outcome<Omit<GroupCommand, 'by'>, ScimProblem> {
  const read = readGroup(body);
  if (!read.ok) return read;
  const {displayName: display_name, externalId, members} = read.value;
  const external = externalId !== undefined && {external_id: externalId};
  return {ok: true, value: {display_name, ...external, ...(members && {members})}};
}

async function change(
  call: Call,
  read: (body: unknown) => Outcome<Omit<GroupCommand, 'by'>, ScimProblem>,
): Promise<Reply> {
  const group = findGroup(call);
  if (!group) return notFound(call.param('id'));
  const command = read(call.body);
  if (!command.ok) return problemReply(command.problem);
  const {group_id} = group;
  return changedReply(
    await call.runtime.people.provisionGroup({...command.value, group_id, by: call.caller.name}),
    200,
  );
}

const listGroups: RouteOf<Query, unknown> = {
  method: 'GET',
  path: `${base}/Groups`,
  summary: 'Lists the groups that the identity provider has provisioned (SCIM 2.0)',
  role: 'directory',
  query: {
    type: 'object',
    properties: {
      filter: {type: 'string', maxLength: 4096},
      startIndex: {type: 'integer'},
      count: {type: 'integer'},
      ...idQuery.properties,
    },
    additionalProperties: false,
  },
  answers: {...answers, 400: {contentType}},
  handle({runtime, query}) {
    const found = filterGroups(runtime.people.listGroups(), query.filter);
    if (!found.ok) return problemReply(found.problem);
    return listReply(
      found.value.map((group) => renderGroup(group, base, hasMembers(query))),
      query,
    );
  },
};

const createGroup: Route = {
  method: 'POST',
  path: `${base}/Groups`,
  summary: 'Provisions a group (SCIM 2.0)',
  role: 'directory',
  query: idQuery,
  body: anyBody,
  answers: {201: {contentType}, 400: {contentType}, 409: {contentType}},
  async handle({runtime, caller, body}) {
    const command = commandOf(body);
    if (!command.ok) return problemReply(command.problem);
    return changedReply(await runtime.people.provisionGroup({...command.value, by: caller.name}), 201);
  },
};

const ofOne = {role: 'directory', path: `${base}/Groups/:id`, query: idQuery} as const;
const changeAnswers = {...answers, 400: {contentType}, 404: {contentType}, 409: {contentType}};

const showGroup: Route = {
  ...ofOne,
  method: 'GET',
  summary: 'Returns a provisioned group (SCIM 2.0)',
  answers: {...answers, 404: {contentType}},
  handle(call) {
    const group = findGroup(call);
    return group ? scimReply(200, renderGroup(group, base, hasMembers(call.query))) : notFound(call.param('id'));
  },
};

const replaceGroup: Route = {
  ...ofOne,
  method: 'PUT',
  summary: 'Replaces the name and the members of a provisioned group (SCIM 2.0)',
  body: anyBody,
  answers: changeAnswers,
  handle: (call) => change(call, commandOf),
};

const patch: Route = {
  ...ofOne,
  method: 'PATCH',
  summary: 'Changes the name or the members of a provisioned group (SCIM 2.0)',
  body: anyBody,
  answers: changeAnswers,
  handle: (call) => change(call, patchGroup),
};

const removeGroup: Route = {
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a provisioned group (SCIM 2.0)',
  answers: {204: {contentType}, 404: {contentType}},
  async handle(call) {
    const group = findGroup(call);
    if (!group) return notFound(call.param('id'));
    const {group_id} = group;
    const result = await call.runtime.people.provisionGroup({
      group_id,
      members: [],
      removed: true,
      by: call.caller.name,
    });
    return result.success
      ? {status: 204, body: new Verbatim(null), headers: {'content-type': contentType}}
      : changedReply(result, 204);
  },
};

export const scimGroupRoutes: readonly Route[] = [listGroups, createGroup, showGroup, replaceGroup, patch, removeGroup];
