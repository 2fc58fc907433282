// Computes the hash that pins a pack, for programs that write a workspace.yaml.
import type {Outcome, Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {version} from '../version.ts';
import {createPackSource, type HashedPack} from './pack-source.ts';

export interface IntegrityRequest {
  /** Absolute: the base of the pin's path. */
  readonly workspaceRoot: string;
  readonly pin: PackPin;
}

/** `sha256:<hex>` over the files of the pack, or the problems that prevent its load. */
export async function packIntegrity({
  workspaceRoot,
  pin,
}: IntegrityRequest): Promise<Outcome<HashedPack, readonly Problem[]>> {
  const source = createPackSource({workspaceRoot, lumenflowVersion: version});
  try {
    return await source.hash(pin);
  } finally {
    source.close();
  }
}
