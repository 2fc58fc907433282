// The methods of a service, each as a tool.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceDescription, ServiceOperation, ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {createHash} from 'node:crypto';
import {protobuf} from './protobuf.ts';
import type {MethodPlan} from './method-plan.ts';
import {createMessageSchemas} from './create-message-schemas.ts';
import {reachableTypes} from './reachable-types.ts';

const nameLengthMax = 64;

export function describeGrpc(pin: PackPin, document: unknown): Outcome<ServiceDescription, ServiceProblem> {
  try {
    const root = protobuf.Root.fromJSON(document as protobuf.INamespace);
    root.resolveAll();
    const methods = servicesIn(root).flatMap(({methodsArray}) => methodsArray);
    const names = methodNames(methods, nameLengthMax - pin.id.length - 1);
    return ok({
      title: servicesIn(root)
        .map(({fullName}) => fullName.slice(1))
        .join(', '),
      version: '1.0.0',
      servers: [],
      schemes: {},
      operations: methods.map((method, index) => describe(pin, method, names[index] ?? '')),
    });
  } catch (error) {
    return failed({
      message: `the types of the service cannot be used: ${(error as Error).message}`,
      help: 'correct the .proto file',
    });
  }
}

function servicesIn(namespace: protobuf.NamespaceBase): readonly protobuf.Service[] {
  return namespace.nestedArray.flatMap((nested) =>
    nested instanceof protobuf.Service ? [nested] : nested instanceof protobuf.Namespace ? servicesIn(nested) : [],
  );
}

function methodNames(methods: readonly protobuf.Method[], lengthMax: number): readonly string[] {
  const plain = methods.map((method) => kebab(method.name));
  const full = methods.map((method) => kebab(`${method.parent?.name ?? ''}-${method.name}`));
  return methods.map((method, index) => {
    const found = [plain, full].find((names) => isUsable(names, names[index] ?? '', lengthMax))?.[index];
    if (found !== undefined) return found;
    const digest = createHash('sha256').update(method.fullName).digest('hex').slice(0, 6);
    return `${(full[index] ?? '').slice(0, lengthMax - 7)}-${digest}`;
  });
}

function isUsable(names: readonly string[], name: string, lengthMax: number): boolean {
  return name !== '' && name.length <= lengthMax && names.indexOf(name) === names.lastIndexOf(name);
}

function kebab(text: string): string {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^[^a-z]+|-+$/gu, '');
}

function describe(pin: PackPin, method: protobuf.Method, name: string): ServiceOperation {
  const {
    resolvedRequestType: request,
    resolvedResponseType: response,
    requestStream = false,
    responseStream = false,
  } = method;
  if (request === null || response === null) throw new Error(`\`${method.fullName}\` has no types`);
  const service = method.parent?.fullName.slice(1) ?? '';
  const level: unknown = method.getOption('idempotency_level') as unknown;
  const credentials = Object.entries(pin.credentials ?? {}).flatMap(([key, credential]) =>
    credential?.token === undefined ? [] : [{key, token: credential.token}],
  );
  const plan: MethodPlan = {
    path: `/${service}/${method.name}`,
    request: request.fullName,
    response: response.fullName,
    request_stream: requestStream,
    response_stream: responseStream,
    types: reachableTypes([request, response]),
    credentials,
  };
  return {
    name,
    tags: [service],
    description: `${method.comment ?? ''} (${service}.${method.name})`.trim(),
    permission: level === 'NO_SIDE_EFFECTS' ? 'read' : 'write',
    idempotent: level === 'NO_SIDE_EFFECTS' || level === 'IDEMPOTENT',
    input_schema: schemaOf(request, 'request', requestStream),
    output_schema: schemaOf(response, 'response', responseStream),
    schemes: credentials.map(({key}) => key),
    required_env: [...new Set(credentials.map(({token}) => token))],
    addresses: [],
    plan,
  };
}

/** With its own fields first, where clients look for them. It is a definition too if it contains itself. */
function inPlace(reference: string, definitions: Readonly<Record<string, object>>): Readonly<Record<string, unknown>> {
  const name = reference.slice('#/$defs/'.length);
  const {[name]: own, ...others} = definitions;
  const containsItself = JSON.stringify(definitions).includes(JSON.stringify(reference));
  const $defs = containsItself ? definitions : others;
  return {...own, ...(Object.keys($defs).length > 0 && {$defs})};
}

/** A stream is a list: `messages` in the input, and the output itself. */
function schemaOf(
  type: protobuf.Type,
  direction: 'request' | 'response',
  isStream: boolean,
): Readonly<Record<string, unknown>> {
  const schemas = createMessageSchemas(direction);
  const message = schemas.refer(type);
  const $defs = schemas.definitions();
  if (!isStream) return inPlace(message.$ref, $defs);
  if (direction === 'response') return {type: 'array', items: message, $defs};
  const properties = {messages: {type: 'array', items: message}};
  return {type: 'object', properties, required: ['messages'], additionalProperties: false, $defs};
}
