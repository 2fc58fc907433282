// The witnesses of workspace.yaml, as verification counts them.
import type {WitnessSettings} from '@lumenflow/schemas';

/** How many of which witnesses must cosign a checkpoint. */
export interface RequiredWitnesses {
  /** Default all of them. */
  readonly required?: number | undefined;
  /** C2SP verifier keys of witnesses. */
  readonly keys: readonly string[];
}

export function requiredWitnesses({required, servers}: WitnessSettings): RequiredWitnesses {
  return {required, keys: servers.map(({key}) => key)};
}
