// A pack whose manifest could be read, with all that the further steps of loading need.
import type {PackRequest} from '@lumenflow/kernel';
import type {SchemaCompiler} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import type {Environment} from './apply-capabilities.ts';
import type {ReadLock} from './lock/packs-lock.ts';
import type {PackFiles} from './pack-files.ts';
import type {ReadManifest} from './read-manifest.ts';

export interface PackLoader {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Absolute; tools must not be able to write there. */
  readonly cacheFolder: string;
  readonly lumenflowVersion: string;
  readonly compiler: SchemaCompiler;
  /** The host's: capabilities may name a variable that holds an address. */
  readonly env: Environment;
  /** There is no workspace.yaml to take configs from: one that a pack needs is not judged. */
  readonly isWithoutConfigs: boolean;
}

/** What the workspace says that is not in the pin itself. */
export interface PackSurroundings extends Pick<PackRequest, 'configs' | 'security' | 'locate'> {
  readonly lock: ReadLock;
}

export interface PackContents {
  readonly pin: PackPin;
  readonly pinPointer: string;
  readonly files: PackFiles;
  readonly read: ReadManifest;
  readonly request: PackSurroundings;
  readonly loader: PackLoader;
  display(path: string): string;
}
