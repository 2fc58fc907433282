// Reads the document of a service for `lumenflow pack add` and `lumenflow pack install`.
import type {Outcome} from '@lumenflow/kernel';
import type {ServiceProblem} from '@lumenflow/kernel/adapters';
import {createHostNetwork} from '@lumenflow/sandbox';
import type {PackPin} from '@lumenflow/schemas';
import {networkOfPin} from './describe-service.ts';
import {loadServiceKind} from './service-kinds.ts';

export interface ServiceSource {
  /** Absolute. */
  readonly workspaceRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** As JSON, so that it equals what is cached. */
export async function readService(pin: PackPin, source: ServiceSource): Promise<Outcome<unknown, ServiceProblem>> {
  const kind = await loadServiceKind(pin, source.workspaceRoot);
  if (!kind.ok) return kind;
  const network = createHostNetwork(networkOfPin(pin));
  const read = await kind.value.read(pin, {...source, network});
  return read.ok ? {ok: true, value: JSON.parse(JSON.stringify(read.value)) as unknown} : read;
}
