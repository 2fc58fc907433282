// wu:forward-main: moves the main branch forward to a commit that was merged on the remote. Called by wu:done and wu:sync.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {MovedBranch} from '../../done/moved-branch.ts';
import {mainBranch} from '../../git/main-branch.ts';
import {runGit} from '../../git/run-git.ts';
import type {PackConfig} from '../../pack-config.ts';

export const wuForwardMain: ToolDefinition<MovedBranch, object, PackConfig> = defineTool({
  async run({onto, commit}, context) {
    const main = await mainBranch(context, context.config);
    await runGit(context, ['merge-base', '--is-ancestor', onto, commit]);
    await runGit(context, ['update-ref', '-m', 'wu:sync', `refs/heads/${main}`, commit, onto]);
    return {};
  },
});
