// A pack with a readable manifest, and the data for the further loading steps.
import type {PackRequest} from '@lumenflow/kernel';
import type {SchemaCompiler} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import type {Environment} from './apply-capabilities.ts';
import type {ReadLock} from './lock/packs-lock.ts';
import type {PackFiles} from './files/pack-files.ts';
import type {ReadManifest} from './manifest/read-manifest.ts';

export interface PackLoader {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Absolute; tools must not be able to write there. */
  readonly cacheFolder: string;
  readonly lumenflowVersion: string;
  readonly compiler: SchemaCompiler;
  /** The host's environment: capabilities may name a variable that contains an address. */
  readonly env: Environment;
  /** There is no workspace.yaml with configs: a missing required config is not an error. */
  readonly isWithoutConfigs: boolean;
}

/** Workspace settings that are not in the pin itself. */
export interface PackSurroundings extends Pick<PackRequest, 'configs' | 'security' | 'locate'> {
  readonly lock: ReadLock;
}

export interface PackContents {
  readonly pin: PackPin;
  readonly pinPointer: string;
  readonly files: PackFiles;
  /** The same files, to read what the manifest names: manifest, schemas and config schema. */
  readonly declared: PackFiles;
  /** Paths of the files that were read through `declared`. */
  readonly reads: ReadonlySet<string>;
  readonly read: ReadManifest;
  readonly request: PackSurroundings;
  readonly loader: PackLoader;
  display(path: string): string;
}
