// The kinds of services, by the source of their pins. Each is loaded when a workspace names it.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceKind, ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {findPackage} from '../find-package.ts';

/** What brings a kind that needs its own libraries. It exports `kind`. */
const packages = {grpc: '@lumenflow/integration-grpc'} as const;

/** Whether the pin's tools are operations of a service, which the host calls itself. */
export function isService({source}: Pick<PackPin, 'source'>): boolean {
  return source === 'openapi' || source === 'grpc';
}

export async function loadServiceKind(
  {source}: Pick<PackPin, 'source'>,
  workspaceRoot: string,
): Promise<Outcome<ServiceKind, ServiceProblem>> {
  if (source === 'openapi') return ok((await import('../openapi/openapi-kind.ts')).openapiKind);
  const name = packages[source as keyof typeof packages];
  const file = findPackage(name, workspaceRoot);
  if (file === undefined) {
    const message = `services of the source \`${source}\` need the package \`${name}\`, which is not installed`;
    return failed({message, help: `run \`npm install ${name}\` in the workspace`});
  }
  const {kind} = (await import(file)) as {readonly kind: ServiceKind};
  return ok(kind);
}
