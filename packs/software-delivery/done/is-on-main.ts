// Checks whether the main branch contains a commit. A recorded merge counts only then.
import {findCommitIfAny} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {isAncestor} from '../git/merge-commits.ts';
import type {DoneContext} from './check-work.ts';

/** Also false for a commit that is missing in the repository. */
export async function isOnMain(context: DoneContext, commit: string): Promise<boolean> {
  const main = await mainBranch(context, context.config);
  const isThere = (await findCommitIfAny(context, commit)) !== undefined;
  return isThere && (await isAncestor(context, commit, `refs/heads/${main}`));
}
