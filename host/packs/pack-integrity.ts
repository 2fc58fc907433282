// Computes the hash that pins a pack, for programs that write a workspace.yaml.
import type {Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {version} from '../version.ts';
import {createPackSource, type HashedPack} from './pack-source.ts';

export interface IntegrityRequest {
  /** Absolute: the base of the pin's path. */
  readonly workspaceRoot: string;
  readonly pin: PackPin;
}

/** `sha256:<hex>` over the files of the pack, or the problems that keep it from being loaded. */
export async function packIntegrity({
  workspaceRoot,
  pin,
}: IntegrityRequest): Promise<HashedPack | {readonly problems: readonly Problem[]}> {
  const source = createPackSource({workspaceRoot, lumenflowVersion: version});
  try {
    return await source.hash(pin);
  } finally {
    source.close();
  }
}
