// The context of fetching a pack.
import type {CommandExecutor} from '@lumenflow/sandbox';

export interface InstallContext {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Absolute: the root of the pack cache. */
  readonly cacheFolder: string;
  readonly executor: CommandExecutor;
  /** Patterns that every sandbox hides, from workspace.yaml. */
  readonly denyOverlays: readonly string[];
  /** The user's environment; commands receive only the variables that they need. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface FetchedPack {
  /** Absolute: its folder in the cache. */
  readonly folder: string;
  /** The commit, or the package's SHA-512 in npm's format. */
  readonly resolved: string;
}

/** Why a pack could not be fetched. */
export interface FetchProblem {
  readonly code: 'PACK_SOURCE_REFUSED' | 'PACK_FETCH_FAILED';
  readonly message: string;
  readonly help: string;
}
