// A pin for a service whose document was just read: the operations that a person selects, with the permission that their kind
// suggests. Names of variables for its secrets are proposed.
import {failed, nearestName, ok, type Outcome} from '@lumenflow/kernel';
import {compileGlobs} from '@lumenflow/kernel/adapters';
import type {CredentialKey, ServiceDescription, ServiceOperation, ServiceProblem} from '@lumenflow/kernel/adapters';
import {compileRegex} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {describeService, versionOf} from './describe-service.ts';
import {manifestText} from '../manifest-text.ts';
import {serviceWords} from './service-words.ts';

export interface ProposedPin {
  readonly pin: PackPin;
  /** Operations that were not selected. */
  readonly leftOut: number;
  /** Security schemes that cannot be filled. */
  readonly unsupported: readonly string[];
}

/** `only`: globs of names of operations, also with the pack's id before them; `tag:NAME` selects by tag. None selects all. */
export function proposeServicePin(
  asked: PackPin,
  description: ServiceDescription,
  only: readonly string[],
): Outcome<ProposedPin, ServiceProblem> {
  const selected = selectOperations(asked.id, description.operations, only);
  if (!selected.ok) return selected;
  const servers = asked.servers ?? [...description.servers];
  if (servers.length === 0) {
    return failed({
      message: 'the document names no address of the service',
      help: 'add `--server https://…`, the address that its paths are relative to',
    });
  }
  const schemes = [...new Set(selected.value.flatMap((operation) => operation.schemes))];
  const credentials = schemes.flatMap((name) => {
    const keys = description.schemes[name]?.[0];
    return keys === undefined ? [] : [[name, variables(asked.id, name, keys)] as const];
  });
  const {id, source, document} = asked;
  const proposed: ProposedPin = {
    leftOut: description.operations.length - selected.value.length,
    unsupported: schemes.filter((name) => description.schemes[name]?.[0] === undefined),
    pin: {
      id,
      version: versionOf(description),
      integrity: 'dev',
      source,
      ...(document !== undefined && {document}),
      servers: [servers[0] ?? '', ...servers.slice(1)],
      ...(credentials.length > 0 && {credentials: Object.fromEntries(credentials)}),
      tools: Object.fromEntries(selected.value.map(({name, permission}) => [name, {permission}])),
    },
  };
  const described = describeService(proposed.pin, description);
  if (!described.ok) return described;
  const text = manifestText(described.value.manifest, serviceWords);
  return text.ok ? ok(proposed) : text;
}

function selectOperations(
  pack: string,
  operations: readonly ServiceOperation[],
  only: readonly string[],
): Outcome<readonly ServiceOperation[], ServiceProblem> {
  const chosen = new Set<ServiceOperation>();
  for (const glob of only) {
    const tag = /^tag:(.+)$/su.exec(glob)?.[1];
    const matches = tag === undefined ? compileGlobs(glob, 'tool', compileRegex) : ok(() => false);
    if (!matches.ok) return matches;
    const isSelected = ({name, tags}: ServiceOperation): boolean =>
      [name, `${pack}:${name}`].some((one) => matches.value(one)) || (tag !== undefined && tags.includes(tag));
    const found = operations.filter(isSelected);
    if (found.length === 0) return failed(nothingSelected(glob, operations));
    for (const operation of found) chosen.add(operation);
  }
  return ok(only.length === 0 ? operations : operations.filter((operation) => chosen.has(operation)));
}

function nothingSelected(glob: string, operations: readonly ServiceOperation[]): ServiceProblem {
  const names = [
    ...operations.map(({name}) => name),
    ...new Set(operations.flatMap(({tags}) => tags.map((tag) => `tag:${tag}`))),
  ];
  const near = nearestName(glob, names);
  const help = near === undefined ? `names are ${names.slice(0, 5).join(', ')} …` : `did you mean \`${near}\`?`;
  return {message: `\`${glob}\` selects no operation`, help};
}

/** Such as `PETS_API_KEY`, or `PETS_OAUTH_CLIENT_ID` and `PETS_OAUTH_CLIENT_SECRET`. */
function variables(
  pack: string,
  scheme: string,
  keys: readonly CredentialKey[],
): NonNullable<NonNullable<PackPin['credentials']>[string]> {
  const stem = `${pack}_${scheme}`
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/gu, '_')
    .toUpperCase();
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return {[only]: stem};
  return Object.fromEntries(keys.map((key) => [key, `${stem}_${key.toUpperCase()}`]));
}
