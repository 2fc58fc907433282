// What a signature of a request covers: always all of it that the worker acts on. A field that may be missing is covered whenever it is
// sent, so that no other party can add or remove one.
import {failed, ok, type Outcome} from '../outcome.ts';
import {readField, readRequiredField, type MessageFields} from './message-fields.ts';
import type {Component} from './signature-base.ts';

/** Names the key of the worker that a request is for, so that no other worker accepts it. */
export const recipientField = 'lumenflow-worker-key';

export interface RequestParts {
  readonly method: string;
  /** Host and port as in the field `Host`; without the port if it is the scheme's own. */
  readonly authority: string;
  /** Path and query as in the request line. */
  readonly target: string;
  readonly fields: MessageFields;
}

export interface CoveredRequest {
  readonly components: readonly Component[];
  readonly digest: string;
  readonly recipient: string;
}

const optionalFields = ['content-type', 'idempotency-key'] as const;

export function requestComponents({method, authority, target, fields}: RequestParts): Outcome<CoveredRequest> {
  if (!/^\/[!-~]*$/u.test(target) || target.includes('#')) {
    return failed({message: 'the request target is not a path with an optional query', help: 'request `/PATH?QUERY`'});
  }
  const digest = readRequiredField(fields, 'content-digest');
  if (!digest.ok) return digest;
  const recipient = readRequiredField(fields, recipientField);
  if (!recipient.ok) return recipient;
  const query = target.indexOf('?');
  const components: Component[] = [
    ['"@method"', method],
    ['"@authority"', authority.toLowerCase()],
    ['"@path"', query < 0 ? target : target.slice(0, query)],
    ['"@query"', query < 0 ? '?' : target.slice(query)],
    ['"content-digest"', digest.value],
    [`"${recipientField}"`, recipient.value],
  ];
  for (const name of optionalFields) {
    const read = readField(fields, name);
    if (!read.ok) return read;
    if (read.value !== undefined) components.push([`"${name}"`, read.value]);
  }
  return ok({components, digest: digest.value, recipient: recipient.value});
}
