// Whether the main branch holds a commit: what the journal says of a merge counts only then.
import {findCommitIfAny} from '../git/find-commit.ts';
import {mainBranch} from '../git/main-branch.ts';
import {isAncestor} from '../git/merge-commits.ts';
import type {DoneContext} from './check-work.ts';

/** False for a commit that the repository lacks as well. */
export async function isOnMain(context: DoneContext, commit: string): Promise<boolean> {
  const main = await mainBranch(context, context.config);
  const isThere = (await findCommitIfAny(context, commit)) !== undefined;
  return isThere && (await isAncestor(context, commit, `refs/heads/${main}`));
}
