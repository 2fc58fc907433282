// git:add: stages files, deletions included.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {ChangedFile} from '../../git/parse-diff.ts';
import {readStaged} from '../../git/read-staged.ts';
import {withScratchIndex} from '../../git/scratch-index.ts';
import {stageFiles} from '../../git/stage-files.ts';
import {inWorkTree} from '../../worktrees/in-work-tree.ts';

/** Either `paths` or `all`. */
interface GitAddInput {
  readonly paths?: readonly string[];
  readonly all?: true;
  readonly dry_run?: boolean;
}

interface GitAddOutput {
  /** What of the given paths the index holds against HEAD now; with `dry_run`, would hold. */
  readonly staged: readonly ChangedFile[];
  readonly dry_run: boolean;
}

export const gitAdd: ToolDefinition<GitAddInput, GitAddOutput> = defineTool({
  async run({paths, dry_run: dryRun = false}, call) {
    const context = await inWorkTree(call);
    if (dryRun) {
      return withScratchIndex(context, async (env) => {
        await stageFiles(context, paths, {env});
        return {staged: await readStaged(context, paths, {env}), dry_run: true};
      });
    }
    await stageFiles(context, paths);
    return {staged: await readStaged(context, paths), dry_run: false};
  },
});
