// The API's description in OpenAPI 3.1, made from the same routes and schemas that serve it.
import type {ObjectSchema} from '../requests/read-query.ts';
import type {Route} from '../route.ts';

const refusals: Readonly<Record<string, string>> = {
  400: 'The request has not the right shape',
  401: 'No token, or one that is not known here',
  403: 'The role, a scope or a policy does not allow it',
  404: 'There is no such thing',
  409: 'The state of the task or request does not allow it now',
  413: 'The body is too large',
  422: 'The tool failed, or its output has not the declared shape',
  429: 'Too many requests or calls',
  503: 'It cannot be recorded or sandboxed now, or the server is closing',
};

export function describeRoutes(routes: readonly Route[], version: string): object {
  const paths: Record<string, object> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {...paths[path], [route.method.toLowerCase()]: operation(route)};
  }
  return {
    openapi: '3.1.0',
    info: {title: 'LumenFlow', version, license: {name: 'Apache-2.0', identifier: 'Apache-2.0'}},
    servers: [{url: '/'}],
    security: [{token: []}],
    paths,
    components: {
      securitySchemes: {token: {type: 'http', scheme: 'bearer'}},
      schemas: {Refusal: refusalSchema},
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [`Refused${status}`, {description, content: refused}]),
      ) as object,
    },
  };
}

const refusalSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {code: {type: 'string'}, message: {type: 'string'}, details: {type: 'object'}},
      required: ['code', 'message'],
    },
  },
  required: ['error'],
};

const refused = {'application/json': {schema: {$ref: '#/components/schemas/Refusal'}}};

function operation({method, path, summary, role, query, body}: Route): object {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {type: 'string'},
  }));
  return {
    operationId: [method.toLowerCase(), ...path.split('/').flatMap((part) => part.match(/[a-z]\w*/gi) ?? [])].join('_'),
    summary,
    description: `Needs a token of role ${role}.`,
    parameters: [...inPath, ...(query ? queryParameters(query) : [])],
    ...(body && {requestBody: {required: true, content: {'application/json': {schema: body}}}}),
    responses: {
      '2XX': {description: 'Done, or waiting for a person', content: {[contentTypeOf(path)]: {schema: {}}}},
      ...Object.fromEntries(
        Object.keys(refusals).map((status) => [status, {$ref: `#/components/responses/Refused${status}`}]),
      ),
    },
  };
}

function queryParameters({properties, required = []}: ObjectSchema): readonly object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(schema.type === 'array' && {style: 'form', explode: false}),
  }));
}

function contentTypeOf(path: string): string {
  if (path === '/metrics') return 'text/plain';
  return path.endsWith('/live') || path.endsWith('/events') ? 'text/event-stream' : 'application/json';
}
