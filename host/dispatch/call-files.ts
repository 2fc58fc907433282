// The files that one call may touch. Everything is computed on first use, because most calls on the pool never need it.
import type {DispatchRequest} from '@lumenflow/kernel';
import type {GivenChanges} from '@lumenflow/kernel/adapters';
import {
  hiddenPaths,
  type HiddenPathsInput,
  type NamesAtStart,
  type CallerView,
  type Transaction,
  type Transactions,
} from '@lumenflow/sandbox';
import type {ResourceLimits} from '@lumenflow/schemas';
import {compilePattern} from '../compile-pattern.ts';
import {grantedFiles} from './granted-files.ts';
import {obeyedPaths} from './obeyed-paths.ts';
import {createScopedFileSystem, type FileAccess, type HostFileSystem} from './scoped-fs/index.ts';
import {writeAccess} from './write-access.ts';

export interface FilesPlace {
  /** Absolute, without symlinks. */
  readonly workspaceRoot: string;
  /** The user's home directory, whose credential stores are hidden. */
  readonly home: string;
  /** Absolute: the directory in which this user's hosts keep the key that signs their recovery notes. */
  readonly stateFolder: string;
}

export interface TransactionalWrites {
  readonly namesAtStart: NamesAtStart;
  readonly limits: ResourceLimits;
  /** The caller's call id, if the call is nested. */
  readonly caller: CallerView | undefined;
}

export class CallFiles {
  readonly #request: Pick<DispatchRequest, 'grant' | 'tool' | 'trusted_paths'>;
  readonly #place: FilesPlace;
  #fileSystem: HostFileSystem | undefined;
  /** What leads to the files as a transaction has them. */
  #door: string | undefined;
  #obeyed: readonly string[] | undefined;
  #granted: FileAccess | undefined;

  constructor(request: Pick<DispatchRequest, 'grant' | 'tool' | 'trusted_paths'>, place: FilesPlace) {
    this.#request = request;
    this.#place = place;
  }

  /** Paths that no grant makes visible in a sandbox. */
  get hiding(): HiddenPathsInput {
    const {workspaceRoot, home, stateFolder} = this.#place;
    const denyOverlays = this.#request.grant.holes.list.map((hole) => hole.pattern.text);
    return {workspaceRoot, home, denyOverlays, hiddenFolders: [stateFolder], compilePattern};
  }

  /** Serves `ctx.fs` requests. */
  get fileSystem(): HostFileSystem {
    this.#fileSystem ??= createScopedFileSystem(this.#place.workspaceRoot, this.#access(), this.#door);
    return this.#fileSystem;
  }

  /** Files written through the host, relative to the workspace; undefined if it was never used. */
  get written(): readonly string[] | undefined {
    return this.#fileSystem?.written();
  }

  /** Whether the call may write exactly this path, relative to the workspace. */
  mayWrite(path: string): boolean {
    return this.#access().allows(path, 'write');
  }

  /** Absolute trusted paths that were found when the call's profile was compiled. */
  obey(paths: readonly string[]): void {
    const {workspaceRoot} = this.#place;
    this.#obeyed = paths.map((path) => path.slice(workspaceRoot.length + 1));
  }

  /** From here on, the files are those of the transaction. */
  beginTransaction(
    transactions: Transactions,
    {namesAtStart, limits, caller}: TransactionalWrites,
  ): Promise<Transaction> {
    return transactions.begin({
      caller,
      access: writeAccess(this.#access()),
      limits,
      namesAtStart,
      onOpen: (opened) => (this.#door = opened),
    });
  }

  /** Changes that are checked against the call's grant although no handler makes them. */
  makeChanges(transactions: Transactions, {entries, content}: GivenChanges): ReturnType<Transactions['make']> {
    return transactions.make({access: writeAccess(this.#access()), entries, content});
  }

  #access(): FileAccess {
    if (this.#granted !== undefined) return this.#granted;
    const {workspaceRoot} = this.#place;
    const obeyed = obeyedPaths({
      ...this.#place,
      named: this.#request.trusted_paths ?? [],
      door: () => this.#door ?? workspaceRoot,
      found: () => this.#obeyed,
    });
    this.#granted = grantedFiles(this.#request.grant, {workspaceRoot, hidden: hiddenPaths(this.hiding), obeyed});
    return this.#granted;
  }
}
