// Generates the OpenAPI 3.1 description from the routes and schemas that the server uses.
import type {ObjectSchema} from '../requests/read-query.ts';
import type {AnyRoute} from '../route.ts';
import {definitionsOf, describeAnswers, refusalName, type DescribedRoute} from './describe-answers.ts';
import {componentOf, readDefinitions} from './schema-definitions.ts';

/** The paths that need no token. */
const health: readonly DescribedRoute[] = [
  {
    method: 'GET',
    path: '/healthz',
    summary: 'Reports that the process responds: restart it if it does not',
    answers: {200: 'http_health'},
  },
  {
    method: 'GET',
    path: '/readyz',
    summary: 'Reports whether the server should receive requests: it is not draining, and its log can be written',
    answers: {200: 'http_readiness', 503: 'http_readiness'},
  },
];

export function describeRoutes(routes: readonly AnyRoute[], version: string): object {
  const described = [...health, ...routes];
  const paths: Record<string, object> = {};
  for (const route of described) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {...paths[path], [route.method.toLowerCase()]: describeOperation(route)};
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'LumenFlow',
      version,
      description: 'A governed tool runtime. MCP clients find the same tools at /mcp.',
      license: {name: 'Apache-2.0', identifier: 'Apache-2.0'},
    },
    servers: [{url: '/'}],
    security: [{token: []}],
    tags: [...new Set(described.map(({path}) => tagOf(path)))].toSorted().map((name) => ({name})),
    paths,
    components: {
      securitySchemes: {token: {type: 'http', scheme: 'bearer'}},
      schemas: readDefinitions([refusalName, ...described.flatMap(definitionsOf)]),
    },
  };
}

function describeOperation(route: DescribedRoute): object {
  const {method, path, summary, role, query, body, bodyShape} = route;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {type: 'string'},
  }));
  const schema = bodyShape === undefined ? body : componentOf(bodyShape);
  return {
    operationId: [method.toLowerCase(), ...path.split('/').flatMap((part) => part.match(/[a-z]\w*/gi) ?? [])].join('_'),
    summary,
    tags: [tagOf(path)],
    ...(role === undefined ? {security: []} : {description: `Requires a token with role ${role}.`}),
    parameters: [...inPath, ...(query ? describeQuery(query) : [])],
    ...(schema && {requestBody: {required: isNeeded(route), content: {'application/json': {schema}}}}),
    responses: describeAnswers(route),
  };
}

/** The kind of thing that a route is about: `tasks` of `/v1/tasks/:id`. */
function tagOf(path: string): string {
  return /^\/v1\/([a-z]+)/.exec(path)?.[1] ?? 'server';
}

/** A missing body is an empty object. */
function isNeeded({body, bodyShape}: DescribedRoute): boolean {
  return bodyShape !== undefined || (body?.required ?? []).length > 0;
}

function describeQuery({properties, required = []}: ObjectSchema): readonly object[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
    ...(schema.type === 'array' && {style: 'form', explode: false}),
  }));
}
