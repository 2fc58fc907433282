// What fetching a pack works with.
import type {CommandExecutor} from '@lumenflow/sandbox';

export interface InstallContext {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** Absolute: where packs are put, by what they are. */
  readonly cacheFolder: string;
  readonly executor: CommandExecutor;
  /** Patterns that no sandbox shows, as workspace.yaml says. */
  readonly denyOverlays: readonly string[];
  /** Of the user; commands are given what they need of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface FetchedPack {
  /** Absolute: its place in the cache. */
  readonly folder: string;
  /** The commit, or the SHA-512 of the package as npm writes it. */
  readonly resolved: string;
}

/** Why a pack could not be fetched. */
export interface FetchFailure {
  readonly code: 'PACK_SOURCE_REFUSED' | 'PACK_FETCH_FAILED';
  readonly message: string;
  readonly help: string;
}
