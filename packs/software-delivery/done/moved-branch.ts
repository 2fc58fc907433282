/** Where a merge has moved the main branch. Both are full commit ids. */
export interface MovedBranch {
  /** What the main branch was. */
  readonly onto: string;
  /** What it was moved to. */
  readonly commit: string;
}
