// wu:prepare-merge creates the commits that wu:done merges if the main branch cannot be fast-forwarded.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {prepareMerge, type Landing, type PreparedMerge} from '../../done/merge-gated.ts';
import {mainBranch} from '../../git/main-branch.ts';
import type {PackConfig} from '../../pack-config.ts';

type PrepareMergeInput = Omit<Landing, 'main'>;

export const wuPrepareMerge: ToolDefinition<PrepareMergeInput, PreparedMerge, PackConfig> = defineTool({
  async run(work, context) {
    return await prepareMerge(context, {...work, main: await mainBranch(context, context.config)});
  },
});
