// Which security schemes a request uses, and from which variables they are filled. A document lists alternatives; the first one
// whose schemes the pin can fill is used.
import type {CredentialKey} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {listOf, nodeOf, textOf, type DocumentNode, type OpenapiDocument} from './openapi-document.ts';
import type {PlannedCredential} from './operation-plan.ts';

type Credentials = NonNullable<PackPin['credentials']>;

export interface ChosenCredentials {
  /** Names of the schemes that the operation prefers, whether the pin fills them or not. */
  readonly schemes: readonly string[];
  readonly planned: readonly PlannedCredential[];
}

export function chooseCredentials(
  document: OpenapiDocument,
  operation: DocumentNode,
  credentials: Credentials = {},
): ChosenCredentials {
  const alternatives = listOf(operation['security'] ?? document.root['security']).map((entry) =>
    Object.entries(nodeOf(entry)),
  );
  const schemes = alternatives[0]?.map(([name]) => name) ?? [];
  for (const alternative of alternatives) {
    const planned = alternative.map(([name, scopes]) =>
      planOf(document, name, {scopes, credential: credentials[name]}),
    );
    if (planned.every((one) => one !== undefined)) {
      return {schemes: alternative.map(([name]) => name), planned};
    }
  }
  return {schemes, planned: []};
}

/** What each scheme of the document can be filled with; none for a scheme that is not supported. */
export function schemesOf(document: OpenapiDocument): Readonly<Record<string, readonly (readonly CredentialKey[])[]>> {
  const schemes = nodeOf(nodeOf(document.root['components'])['securitySchemes']);
  return Object.fromEntries(Object.entries(schemes).map(([name, scheme]) => [name, keysOf(document.follow(scheme))]));
}

function keysOf(scheme: DocumentNode): readonly (readonly CredentialKey[])[] {
  const kind = textOf(scheme['type']);
  if (kind === 'http') {
    const isBasic = textOf(scheme['scheme']).toLowerCase() === 'basic';
    return isBasic ? [['username', 'password']] : [['token']];
  }
  if (kind === 'oauth2') return tokenUrlOf(scheme) === '' ? [['token']] : [['client_id', 'client_secret'], ['token']];
  return kind === 'apiKey' || kind === 'openIdConnect' ? [['token']] : [];
}

interface Filling {
  readonly scopes: unknown;
  readonly credential: Credentials[string];
}

function planOf(document: OpenapiDocument, name: string, {scopes, credential}: Filling): PlannedCredential | undefined {
  if (credential === undefined) return undefined;
  const scheme = document.follow(nodeOf(nodeOf(document.root['components'])['securitySchemes'])[name]);
  const {token, username, password, client_id, client_secret} = credential;
  if (username !== undefined && password !== undefined) return {kind: 'basic', username, password};
  if (client_id !== undefined && client_secret !== undefined) {
    const token_url = tokenUrlOf(scheme);
    return token_url === ''
      ? undefined
      : {kind: 'oauth2', token_url, scopes: listOf(scopes).map(String), client_id, client_secret};
  }
  if (token === undefined) return undefined;
  if (scheme['type'] !== 'apiKey') return {kind: 'bearer', token};
  const place = scheme['in'];
  return place === 'query' || place === 'header' || place === 'cookie'
    ? {kind: 'key', in: place, name: textOf(scheme['name']), token}
    : undefined;
}

function tokenUrlOf(scheme: DocumentNode): string {
  return textOf(nodeOf(nodeOf(scheme['flows'])['clientCredentials'])['tokenUrl']);
}
