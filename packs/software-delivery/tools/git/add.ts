// git:add stages files, deletions included.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {ChangedFile} from '../../git/parse-diff.ts';
import {withScratchIndex} from '../../git/scratch-index.ts';
import {stageFiles} from '../../git/stage-files.ts';
import {readVisibleStaged} from '../../git/visible-index.ts';
import {inWritableCheckout} from '../../checkouts/in-checkout.ts';

/** Either `paths` or `all`. */
interface GitAddInput {
  readonly paths?: readonly string[];
  readonly all?: true;
  /** Confirms a write to the person's own checkout outside a work unit. */
  readonly main_checkout?: boolean;
  readonly dry_run?: boolean;
}

interface GitAddOutput {
  /** Staged changes among the given paths, or with `dry_run` the ones that would be staged. */
  readonly staged: readonly ChangedFile[];
  /** Directory that was written, relative to the workspace root; `.` is the person's own checkout. */
  readonly root: string;
  readonly dry_run: boolean;
}

export const gitAdd: ToolDefinition<GitAddInput, GitAddOutput> = defineTool({
  async run({paths, main_checkout: meant, dry_run: dryRun = false}, call) {
    const {context, root} = await inWritableCheckout(call, meant);
    if (dryRun) {
      return withScratchIndex(context, async (env) => {
        await stageFiles(context, paths, {env});
        return {staged: (await readVisibleStaged(context, paths, {env})).files, root, dry_run: true};
      });
    }
    await stageFiles(context, paths);
    return {staged: (await readVisibleStaged(context, paths)).files, root, dry_run: false};
  },
});
