// The operations of an OpenAPI document, each as a tool: names, schemas, and how to make its request.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceDescription, ServiceOperation, ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {chooseCredentials, schemesOf} from './choose-credentials.ts';
import {describeInput} from './describe-input.ts';
import {describeOutput} from './describe-output.ts';
import {
  DocumentFault,
  listOf,
  nodeOf,
  openDocument,
  textOf,
  type DocumentNode,
  type OpenapiDocument,
} from './openapi-document.ts';
import {operationNames} from './operation-names.ts';
import type {OperationPlan, PlannedCredential} from './operation-plan.ts';
import {serverAddresses} from './server-addresses.ts';

const methods = ['get', 'head', 'options', 'trace', 'put', 'delete', 'post', 'patch'] as const;
type Method = (typeof methods)[number];

const reading: ReadonlySet<Method> = new Set(['get', 'head', 'options', 'trace']);
const repeatable: ReadonlySet<Method> = new Set([...reading, 'put', 'delete']);

/** Of names of tools. */
const nameLengthMax = 64;

export function describeOpenapi(pin: PackPin, read: unknown): Outcome<ServiceDescription, ServiceProblem> {
  const document = openDocument(nodeOf(read));
  try {
    const info = nodeOf(document.root['info']);
    return ok({
      title: textOf(info['title']),
      version: textOf(info['version']),
      servers: serverAddresses(document.root['servers'], pin.document ?? ''),
      schemes: schemesOf(document),
      operations: operationsOf(pin, document),
    });
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    const help = 'bundle the document into one file, for example with `npx @redocly/cli bundle`';
    return failed({message: `the OpenAPI document cannot be used: ${error.message}`, help});
  }
}

interface Found {
  readonly method: Method;
  readonly path: string;
  readonly item: DocumentNode;
  readonly operation: DocumentNode;
}

function operationsOf(pin: PackPin, document: OpenapiDocument): readonly ServiceOperation[] {
  const found = Object.entries(nodeOf(document.root['paths'])).flatMap(([path, entry]): Found[] => {
    const item = document.follow(entry);
    return methods
      .filter((method) => method in item)
      .map((method) => ({method, path, item, operation: nodeOf(item[method])}));
  });
  const named = found.map(({method, path, operation}) => ({
    id: operation['operationId'] === undefined ? undefined : textOf(operation['operationId']),
    method,
    path,
  }));
  const names = operationNames(named, nameLengthMax - pin.id.length - 1);
  return found.map((operation, index) => describe(pin, document, {...operation, name: names[index] ?? ''}));
}

function describe(
  pin: PackPin,
  document: OpenapiDocument,
  {name, method, path, item, operation}: Found & {readonly name: string},
): ServiceOperation {
  const {schema, ...request} = describeInput(document, {operation, shared: item['parameters']});
  const output = describeOutput(document, operation);
  const {schemes, planned} = chooseCredentials(document, operation, pin.credentials);
  const servers = serverAddresses(operation['servers'] ?? item['servers'], pin.document ?? '');
  const plan: OperationPlan = {
    method: method.toUpperCase(),
    path,
    ...(servers.length > 0 && {servers}),
    ...request,
    credentials: planned,
  };
  return {
    name,
    tags: listOf(operation['tags']).map(String),
    description: descriptionOf(operation, `${plan.method} ${path}`),
    permission: reading.has(method) ? 'read' : method === 'delete' ? 'admin' : 'write',
    idempotent: repeatable.has(method),
    input_schema: schema,
    ...(output && {output_schema: output}),
    schemes,
    required_env: [...new Set(planned.flatMap(variablesOf))],
    addresses: [...servers, ...planned.flatMap((one) => (one.kind === 'oauth2' ? tokenAddress(one, pin) : []))],
    plan,
  };
}

function descriptionOf(operation: DocumentNode, request: string): string {
  const parts = [operation['summary'], operation['description']].map((part) => textOf(part).trim());
  const [summary = '', description = ''] = parts;
  const isRepeated = description.startsWith(summary);
  const text = [isRepeated ? '' : ended(summary), description].filter((part) => part !== '').join(' ');
  const deprecated = operation['deprecated'] === true ? 'Deprecated. ' : '';
  return `${deprecated}${text === '' ? request : `${text} (${request})`}`;
}

function ended(sentence: string): string {
  return sentence === '' || /[.!?]$/u.test(sentence) ? sentence : `${sentence}.`;
}

function variablesOf(credential: PlannedCredential): readonly string[] {
  switch (credential.kind) {
    case 'basic':
      return [credential.username, credential.password];
    case 'oauth2':
      return [credential.client_id, credential.client_secret];
    case 'key':
    case 'bearer':
      return [credential.token];
    default:
      return credential satisfies never;
  }
}

function tokenAddress({token_url}: {readonly token_url: string}, {servers}: PackPin): readonly string[] {
  const server = servers?.[0];
  return URL.canParse(token_url, server) ? [new URL(token_url, server).href] : [];
}
