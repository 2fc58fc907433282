// Describes a route's answers by status: its own answers and its refusals.
import {statusOf, type ErrorCode} from '../error-status.ts';
import type {AnswerShape, AnyRoute, DefinitionName} from '../route.ts';
import type {Role} from '../tokens/token-file.ts';
import {componentOf} from './schema-definitions.ts';

/** A route, or the description of one without a token. */
export type DescribedRoute = Omit<AnyRoute, 'handle' | 'role'> & {readonly role?: Role};

/** Of every path, for every caller. */
const atTheDoor: readonly ErrorCode[] = ['HOST_DENIED', 'ORIGIN_DENIED', 'CLOSING', 'INTERNAL'];
const ofTokens: readonly ErrorCode[] = ['UNAUTHENTICATED', 'ROLE_DENIED', 'RATE_LIMITED', 'TOKENS_UNAVAILABLE'];
/** Also covers a query that the route does not declare. */
const ofRoutes: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'LOAD_FAILED',
  'RUNTIME_CLOSED',
  'LOG_UNAVAILABLE',
  'LOCK_UNAVAILABLE',
  'LOG_CORRUPT',
  'BROKEN_INVARIANT',
];
const ofBodies: readonly ErrorCode[] = ['BODY_INCOMPLETE', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

const headers: Readonly<Record<number, object>> = {
  401: {'WWW-Authenticate': {schema: {type: 'string'}}},
  429: {
    'Retry-After': {description: 'Number of seconds to wait before a retry', schema: {type: 'integer', minimum: 1}},
  },
  503: {
    'Retry-After': {
      description: 'Number of seconds to wait before a retry; sent with `CLOSING`, when nothing has run',
      schema: {type: 'integer', minimum: 1},
    },
  },
};

export const refusalName: DefinitionName = 'http_refusal';

export function describeAnswers(route: DescribedRoute): object {
  const refusals = [...new Set(refusalsOf(route))];
  const statuses = new Set([...Object.keys(route.answers).map(Number), ...refusals.map(statusOf)]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const codes = refusals.filter((code) => statusOf(code) === status);
      return [status, describeAnswer(status, route, codes)];
    }),
  );
}

/** The definitions that its answers refer to. */
export function definitionsOf({answers, bodyShape}: DescribedRoute): readonly DefinitionName[] {
  const named = Object.values(answers).flatMap((shape) => (typeof shape === 'string' ? shape : (shape.data ?? [])));
  return bodyShape === undefined ? named : [...named, bodyShape];
}

function refusalsOf({role, body, refuses}: DescribedRoute): readonly ErrorCode[] {
  if (role === undefined && refuses === undefined) return atTheDoor;
  const tokens = role === undefined ? [] : ofTokens;
  return [...atTheDoor, ...tokens, ...ofRoutes, ...(body ? ofBodies : []), ...(refuses ?? [])];
}

function describeAnswer(status: number, {answers, callsTool}: DescribedRoute, codes: readonly ErrorCode[]): object {
  const shape = answers[status];
  const refusal = codes.length > 0 ? [describeRefusal(codes)] : [];
  const [contentType, schema] = shape === undefined ? ['application/json', undefined] : contentOf(shape);
  const schemas = schema === undefined ? refusal : [schema, ...refusal];
  const isCall = callsTool === true && status >= 400;
  const wording = [...(isCall ? ['the error code of the call'] : []), ...codes.map((code) => `\`${code}\``)];
  return {
    description: status < 300 && wording.length === 0 ? 'Done' : `One of: ${wording.join(', ')}`,
    ...(headers[status] && {headers: headers[status]}),
    content:
      contentType === 'application/json' || schema === undefined
        ? {[contentType]: {schema: anyOf(schemas)}}
        : {[contentType]: {schema}, ...(refusal.length > 0 && {'application/json': {schema: refusal[0]}})},
  };
}

function anyOf(schemas: readonly object[]): object | undefined {
  return schemas.length === 1 ? schemas[0] : {anyOf: schemas};
}

function describeRefusal(codes: readonly ErrorCode[]): object {
  const code = {type: 'string', enum: codes};
  const error = {type: 'object', properties: {code}, required: ['code']};
  return {allOf: [componentOf(refusalName), {type: 'object', properties: {error}, required: ['error']}]};
}

function contentOf(shape: AnswerShape): readonly [contentType: string, schema: object] {
  if (typeof shape === 'string') return ['application/json', componentOf(shape)];
  const {contentType, data} = shape;
  if (contentType === 'application/json') return [contentType, {}];
  const text = {type: 'string'};
  if (data === undefined) return [contentType, text];
  // In terms of JSON Schema: the content of the text, or of `data` in each event.
  return [contentType, {...text, contentMediaType: 'application/json', contentSchema: componentOf(data)}];
}
