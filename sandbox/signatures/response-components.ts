// What a signature of a response covers: its status and content, and by the request's signature the request that it answers.
import {ok, type Outcome} from '../outcome.ts';
import {readField, readRequiredField, type MessageFields} from './message-fields.ts';
import type {Component} from './signature-base.ts';

export interface ResponseParts {
  readonly status: number;
  readonly fields: MessageFields;
}

/** The two fields of the request as they were sent. */
export interface RequestSignature {
  readonly signature: string;
  readonly signatureInput: string;
}

export interface CoveredResponse {
  readonly components: readonly Component[];
  readonly digest: string;
}

export function responseComponents(
  {status, fields}: ResponseParts,
  {signature, signatureInput}: RequestSignature,
): Outcome<CoveredResponse> {
  const digest = readRequiredField(fields, 'content-digest');
  if (!digest.ok) return digest;
  const type = readField(fields, 'content-type');
  if (!type.ok) return type;
  const components: Component[] = [
    ['"@status"', String(status)],
    ['"content-digest"', digest.value],
    ['"signature";req', signature],
    ['"signature-input";req', signatureInput],
  ];
  if (type.value !== undefined) components.push(['"content-type"', type.value]);
  return ok({components, digest: digest.value});
}
