// What SCIM answers have in common (RFC 7644, section 3).
import {Verbatim, type Reply} from '../reply.ts';
import type {ObjectSchema} from '../requests/read-query.ts';
import type {ScimProblem} from './scim-user.ts';

export interface ListQuery {
  readonly filter?: string;
  readonly startIndex?: number;
  readonly count?: number;
}

export const pageMax = 1_000;

export const contentType: string = 'application/scim+json';
export const base: string = '/scim/v2';
export const answers: Readonly<Record<200, {readonly contentType: string}>> = {200: {contentType}};
export const anyBody: ObjectSchema = {type: 'object', properties: {}, additionalProperties: true};
export const idQuery: ObjectSchema = {
  type: 'object',
  properties: {
    attributes: {type: 'string', maxLength: 4096, description: 'Has no effect'},
    excludedAttributes: {type: 'string', maxLength: 4096, description: 'Has no effect'},
  },
  additionalProperties: false,
};

export function scimReply(status: number, body: object): Reply {
  return {status, body: new Verbatim(JSON.stringify(body)), headers: {'content-type': contentType}};
}

export function problemReply({status, scimType, detail}: ScimProblem): Reply {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error'];
  return scimReply(status, {schemas, status: String(status), ...(scimType && {scimType}), detail});
}

export function listReply(resources: readonly object[], {startIndex = 1, count = 100}: ListQuery = {}): Reply {
  const first = Math.max(1, startIndex);
  const listed = resources.slice(first - 1, first - 1 + Math.min(Math.max(0, count), pageMax));
  return scimReply(200, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: resources.length,
    startIndex: first,
    itemsPerPage: listed.length,
    Resources: listed,
  });
}
