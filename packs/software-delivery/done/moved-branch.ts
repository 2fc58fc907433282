/** The move of the main branch by a merge. Both are full commit ids. */
export interface MovedBranch {
  /** The former commit. */
  readonly onto: string;
  /** The new commit. */
  readonly commit: string;
}
