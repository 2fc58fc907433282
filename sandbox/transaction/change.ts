import type {Entry} from './entry.ts';

export interface Change {
  /** Relative to the workspace root. */
  readonly path: string;
  /** mode: the permissions alone. */
  readonly kind: 'created' | 'modified' | 'deleted' | 'mode';
  /** In the workspace, now. */
  readonly before?: Entry;
  /** In the view. */
  readonly after?: Entry;
  /** A directory on the way, or the path itself, that is another one in the workspace than the call saw. */
  readonly replaced?: string | undefined;
  /** Where this process finds `after`. */
  readonly source?: string;
  /** Whether the call created the entry itself, on the workspace's own file system, and it was not copied up. */
  readonly isMade?: boolean | undefined;
  /** The file of the workspace for which the call created this further name. */
  readonly linkOf?: {readonly path: string; readonly ino: bigint};
}

export type ChangeProblem =
  | {readonly kind: 'too_many'; readonly changesMax: number}
  | {readonly kind: 'unreadable_name'; readonly directory: string}
  | {readonly kind: 'too_long'; readonly path: string}
  /** Names of one file, two of which now have different content. */
  | {readonly kind: 'linked'; readonly paths: readonly [string, string]};

/** Ends the search for changes. */
export class UnfitChange extends Error {
  readonly problem: ChangeProblem;

  constructor(problem: ChangeProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}
