// SCIM 2.0 (RFC 7644): the identity provider creates, changes and deactivates people. Its token has a separate role, which gives no
// other access.
import {cutText} from '@lumenflow/kernel';
import type {KernelRuntime, Outcome, ProvisionedPerson, TransitionResult} from '@lumenflow/kernel';
import {filterUsers} from '../scim/filter-users.ts';
import {patchUser} from '../scim/patch-user.ts';
import {groupSchema} from '../scim/scim-group.ts';
import {
  attributesOf,
  nameOfUser,
  readUser,
  renderUser,
  userSchema,
  type ScimProblem,
  type UserAttributes,
} from '../scim/scim-user.ts';
import {refuse, Verbatim, type Reply} from '../reply.ts';
import {
  anyBody,
  answers,
  base,
  contentType,
  idQuery,
  listReply,
  pageMax,
  problemReply,
  scimReply,
  type ListQuery,
} from '../scim/scim-reply.ts';
import {scimGroupRoutes} from './scim-groups.ts';
import type {Route, RouteCall, RouteOf} from '../route.ts';

type Call = RouteCall<unknown, unknown>;

function findUser(runtime: KernelRuntime, id: string): ProvisionedPerson | undefined {
  return runtime.people.listProvisioned().find(({user_id}) => user_id === id);
}

function notFound(id: string): Reply {
  return problemReply({status: 404, detail: `there is no user \`${cutText(id, 128)}\``});
}

function changedReply(result: TransitionResult<ProvisionedPerson>, status: number): Reply {
  if (result.success) return scimReply(status, renderUser(result.data, base));
  const {code, message} = result.error;
  if (code === 'NAME_TAKEN') return problemReply({status: 409, scimType: 'uniqueness', detail: message});
  return problemReply({status: code === 'PERSON_NOT_FOUND' ? 404 : 400, detail: message});
}

function domainOf({runtime}: Call): string | undefined {
  return runtime.workspace.spec.sign_in?.name_domain;
}

interface Change {
  readonly attributes: UserAttributes;
  /** Of the user that changes; absent: a new user. */
  readonly user?: ProvisionedPerson;
}

async function provision(call: Call, {attributes, user}: Change): Promise<Reply> {
  const {userName, externalId, displayName, active} = attributes;
  const name = nameOfUser(userName, domainOf(call));
  if (!name.ok) return problemReply(name.problem);
  if (user && name.value.toLowerCase() !== user.name.toLowerCase()) {
    const detail = 'a name in records stays with its person: delete the user, and create another one';
    return problemReply({status: 400, scimType: 'mutability', detail});
  }
  const result = await call.runtime.people.provision({
    name: user?.name ?? name.value,
    user_name: userName,
    active,
    by: call.caller.name,
    ...(user && {user_id: user.user_id, from: user}),
    ...(externalId !== undefined && {external_id: externalId}),
    ...(displayName !== undefined && {display_name: displayName}),
  });
  return changedReply(result, user ? 200 : 201);
}

/** Changes the user of the path. */
async function change(
  call: Call,
  read: (user: ProvisionedPerson) => Outcome<UserAttributes, ScimProblem>,
): Promise<Reply> {
  const user = findUser(call.runtime, call.param('id'));
  if (!user) return notFound(call.param('id'));
  const attributes = read(user);
  return attributes.ok ? await provision(call, {attributes: attributes.value, user}) : problemReply(attributes.problem);
}

const listUsers: RouteOf<ListQuery, unknown> = {
  method: 'GET',
  path: `${base}/Users`,
  summary: 'Lists the people that the identity provider has provisioned (SCIM 2.0)',
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
    const found = filterUsers(runtime.people.listProvisioned(), query.filter);
    if (!found.ok) return problemReply(found.problem);
    return listReply(
      found.value.map((user) => renderUser(user, base)),
      query,
    );
  },
};

const createUser: Route = {
  method: 'POST',
  path: `${base}/Users`,
  summary: 'Provisions a person (SCIM 2.0)',
  role: 'directory',
  query: idQuery,
  body: anyBody,
  answers: {201: {contentType}, 400: {contentType}, 409: {contentType}},
  async handle(call) {
    const attributes = readUser(call.body);
    return attributes.ok ? await provision(call, {attributes: attributes.value}) : problemReply(attributes.problem);
  },
};

const ofOne = {role: 'directory', path: `${base}/Users/:id`, query: idQuery} as const;
const changeAnswers = {...answers, 400: {contentType}, 404: {contentType}};

const showUser: Route = {
  ...ofOne,
  method: 'GET',
  summary: 'Returns a provisioned person (SCIM 2.0)',
  answers: {...answers, 404: {contentType}},
  handle({runtime, param}) {
    const user = findUser(runtime, param('id'));
    return user ? scimReply(200, renderUser(user, base)) : notFound(param('id'));
  },
};

const replaceUser: Route = {
  ...ofOne,
  method: 'PUT',
  summary: 'Replaces the attributes of a provisioned person (SCIM 2.0)',
  body: anyBody,
  answers: changeAnswers,
  handle: (call) => change(call, (user) => readUser(call.body, user)),
};

const patch: Route = {
  ...ofOne,
  method: 'PATCH',
  summary: 'Changes attributes of a provisioned person; `active: false` ends all sign-ins (SCIM 2.0)',
  body: anyBody,
  answers: changeAnswers,
  handle: (call) => change(call, (user) => patchUser(attributesOf(user), call.body)),
};

const removeUser: Route = {
  ...ofOne,
  method: 'DELETE',
  summary: 'Removes a provisioned person, and ends all sign-ins (SCIM 2.0)',
  answers: {204: {contentType}, 404: {contentType}},
  async handle({runtime, caller, param}) {
    const user = findUser(runtime, param('id'));
    if (!user) return notFound(param('id'));
    const {name, user_id, user_name} = user;
    const result = await runtime.people.provision({
      name,
      user_id,
      user_name,
      active: false,
      removed: true,
      by: caller.name,
    });
    return result.success
      ? {status: 204, body: new Verbatim(null), headers: {'content-type': contentType}}
      : changedReply(result, 204);
  },
};

const coreSchema = 'urn:ietf:params:scim:schemas:core:2.0';

const showConfig: Route = {
  method: 'GET',
  path: `${base}/ServiceProviderConfig`,
  summary: 'Returns what the SCIM endpoint supports',
  role: 'directory',
  answers,
  handle: () =>
    scimReply(200, {
      schemas: [`${coreSchema}:ServiceProviderConfig`],
      patch: {supported: true},
      bulk: {supported: false, maxOperations: 0, maxPayloadSize: 0},
      filter: {supported: true, maxResults: pageMax},
      changePassword: {supported: false},
      sort: {supported: false},
      etag: {supported: false},
      authenticationSchemes: [
        {type: 'oauthbearertoken', name: 'Token', description: 'A token of `lumenflow token create --role directory`'},
      ],
    }),
};

const listTypes: Route = {
  method: 'GET',
  path: `${base}/ResourceTypes`,
  summary: 'Lists the types of SCIM resources: users and groups',
  role: 'directory',
  answers,
  handle: () =>
    listReply([
      {schemas: [`${coreSchema}:ResourceType`], id: 'User', name: 'User', endpoint: '/Users', schema: userSchema},
      {schemas: [`${coreSchema}:ResourceType`], id: 'Group', name: 'Group', endpoint: '/Groups', schema: groupSchema},
    ]),
};

/** Without `directory: scim`, a provider would seem to decide who signs in. */
function requireDirectory(route: Route): Route {
  return {
    ...route,
    refuses: ['SIGN_IN_UNAVAILABLE'],
    handle(call) {
      if (call.runtime.workspace.spec.sign_in?.directory === 'scim') return route.handle(call);
      return refuse('SIGN_IN_UNAVAILABLE', 'this workspace has no `directory: scim` in `sign_in` of workspace.yaml');
    },
  };
}

export const scimRoutes: readonly Route[] = [
  ...scimGroupRoutes,
  listUsers,
  createUser,
  showUser,
  replaceUser,
  patch,
  removeUser,
  showConfig,
  listTypes,
].map(requireDirectory);
