// What git:commit would commit: the tree, its parent, the author, and the difference.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {boundedPatch, type BoundedPatch} from '../../git/bounded-patch.ts';
import {checkStaged} from '../../git/check-staged.ts';
import {findIdentity} from '../../git/commit-identity.ts';
import {currentBranch} from '../../git/current-branch.ts';
import {findCommitIfAny} from '../../git/find-commit.ts';
import type {ChangedFile} from '../../git/parse-diff.ts';
import {runGit} from '../../git/run-git.ts';
import {withScratchIndex} from '../../git/scratch-index.ts';
import {readVisibleStaged, withVisibleIndex} from '../../git/visible-index.ts';
import type {CommitIdentity, PackConfig} from '../../pack-config.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

interface CommitInput {
  readonly author?: CommitIdentity;
  readonly allow_empty?: boolean;
  readonly main_checkout?: boolean;
}

interface CommitPreview extends BoundedPatch {
  /** Relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  /** Null when HEAD is detached. */
  readonly branch: string | null;
  /** Null for the first commit. */
  readonly parent: string | null;
  readonly tree: string;
  readonly author: CommitIdentity;
  readonly files: readonly ChangedFile[];
}

export const previewCommit: ToolDefinition<CommitInput, CommitPreview, PackConfig> = defineTool({
  async run({author, main_checkout: meant, allow_empty: allowEmpty = false}, call) {
    const {context, root} = await inWritableCheckout(call, meant);
    const {files, hidden} = await readVisibleStaged(context);
    checkStaged(files, allowEmpty);
    const {tree, patch} = await withVisibleIndex(context, hidden, async (visible) => ({
      tree: await withScratchIndex(context, async (env) =>
        (await runGit(context, ['write-tree'], {env: {...env, ...visible}})).stdout.trim(),
      ),
      patch: await boundedPatch(context, ['--cached'], visible),
    }));
    return {
      root,
      branch: await currentBranch(context),
      parent: (await findCommitIfAny(context, 'HEAD')) ?? null,
      tree,
      author: await findIdentity(context, author),
      files,
      ...patch,
    };
  },
});
