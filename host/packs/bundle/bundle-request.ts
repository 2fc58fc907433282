// The exports of a pack to bundle, as its manifest names them.
import type {FactoryName} from '../../isolate/factory-module.ts';
import type {PackFiles} from '../files/pack-files.ts';

/** One export of a file of the pack that the manifest names. */
export interface PackEntry {
  /** Relative to the pack, with `/`. */
  readonly file: string;
  readonly exportName: string;
  /** `file:line:column` in the manifest. */
  readonly where: string;
  /** Whether it may import Node's modules. */
  readonly builtins: boolean;
}

export interface BundleRequest {
  readonly files: PackFiles;
  /** Names of the packages that the pack's package.json declares. */
  readonly dependencies: ReadonlySet<string>;
  readonly handlers: readonly PackEntry[];
  readonly factories: readonly (PackEntry & {readonly as: FactoryName})[];
  /** A path of the pack as messages show it. */
  display(path: string): string;
}

/** A virtual module that exports exactly what the manifest names; its line n imports the entry n. */
export interface Wrapper {
  readonly source: string;
  readonly entries: readonly PackEntry[];
}

/** One build's wrappers by the name of their output. */
export type Wrappers = ReadonlyMap<string, Wrapper>;
