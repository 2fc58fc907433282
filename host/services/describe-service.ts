// Generates a service's pack: the operations that its pin names, with the pin's permissions. The network of each tool is the
// addresses of the service.
import {cutText, failed, nearestName, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceDescription, ServiceOperation, ServiceProblem} from '@lumenflow/kernel/adapters';
import type {GrantedScopes, NetworkScope, PackManifest, PackPin, ToolDeclaration} from '@lumenflow/schemas';
import coerce from 'semver/functions/coerce.js';
import valid from 'semver/functions/valid.js';
import {pinnedTool} from '../pinned-tool.ts';
import {isSentInClear} from '../secrets/is-sent-in-clear.ts';

export interface DescribedService {
  readonly manifest: PackManifest;
  /** In the order of the manifest's tools. */
  readonly operations: readonly ServiceOperation[];
}

export const planFile = 'operations.js';

export function planName(index: number): string {
  return `operation${index}`;
}

export function describeService(
  pin: PackPin,
  description: ServiceDescription,
): Outcome<DescribedService, ServiceProblem> {
  const names = new Set(description.operations.map(({name}) => name));
  const unknown = Object.keys(pin.tools ?? {}).find((name) => !names.has(name));
  if (unknown !== undefined) {
    const near = nearestName(unknown, names);
    return failed({
      message: `the service of the pack \`${pin.id}\` has no operation \`${unknown}\``,
      help: near === undefined ? 'remove it from `tools` of the pin' : `did you mean \`${near}\`?`,
    });
  }
  const operations = description.operations.filter(({name}) => pinnedTool(pin, name) !== undefined);
  const fault = clearFault(pin, operations);
  if (fault !== undefined) return failed(fault);
  const others = description.operations.length - operations.length;
  const rest = others === 0 ? '' : `; ${others} more are not named in the pin`;
  return ok({
    operations,
    manifest: {
      id: pin.id,
      version: versionOf(description),
      manifest_version: 1,
      description: `${description.title} ${description.version}: ${operations.length} of its operations${rest}`.slice(
        -1_000,
      ),
      task_types: [`${pin.id}-task`],
      tools: operations.map((operation, index) => declare(pin, operation, index)),
    },
  });
}

function clearFault({id, servers}: PackPin, operations: readonly ServiceOperation[]): ServiceProblem | undefined {
  const addresses = operations.flatMap((one) =>
    one.required_env.length > 0 ? [...(servers ?? []), ...one.addresses] : [],
  );
  const address = addresses.find(isSentInClear);
  if (address === undefined) return undefined;
  return {
    message: `the pack \`${id}\` would send credentials to ${address} without encryption`,
    help: 'use https in `servers`, or an address of this machine such as 127.0.0.1; or remove the `credentials`',
  };
}

/** Packs have semantic versions; services use any format. */
export function versionOf({version}: Pick<ServiceDescription, 'version'>): string {
  return valid(version) ?? coerce(version)?.version ?? '0.0.0';
}

const descriptionMax = 2_000;

function declare(pin: PackPin, operation: ServiceOperation, index: number): ToolDeclaration {
  const {name, description, permission, idempotent, input_schema, output_schema, required_env, addresses} = operation;
  const tool = `${pin.id}:${name}`;
  const pinned = pinnedTool(pin, name);
  return {
    permission,
    idempotent,
    ...pinned,
    name: tool,
    description: cutText(description, descriptionMax),
    handler_entry: `${planFile}#${planName(index)}`,
    ...(required_env.length > 0 && {required_env: [...required_env]}),
    required_scopes: [networkOf(pin, addresses)],
    input_schema: named(input_schema, `${tool}:input`),
    ...(output_schema && {output_schema: named(output_schema, `${tool}:output`)}),
  };
}

function networkOf({servers, private_addresses = []}: PackPin, addresses: readonly string[]): NetworkScope {
  const entries = [...new Set([...(servers ?? []), ...addresses].map(entryOf)), ...private_addresses];
  return {type: 'network', posture: 'allowlist', allowlist_entries: entries};
}

/** What a person's own commands may reach of it. */
export function networkOfPin({servers, private_addresses = []}: PackPin): GrantedScopes['network'] {
  return {posture: 'allowlist', allowlist_entries: [...(servers ?? []).map(entryOf), ...private_addresses]};
}

/** `host:port`, as in an allowlist. */
export function entryOf(address: string): string {
  const {protocol, hostname, port} = new URL(address);
  return `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
}

/** References within a schema require it to be a root schema. */
function named(schema: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return '$defs' in schema ? {$id: `urn:lumenflow:${name}`, ...schema} : {...schema};
}
