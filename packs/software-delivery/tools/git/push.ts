// git:push pushes a branch to a remote.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {mainBranch} from '../../git/main-branch.ts';
import {pushBranch, type Push, type Pushed} from '../../git/push-branch.ts';
import type {PackConfig} from '../../pack-config.ts';

export const gitPush: ToolDefinition<Partial<Push>, Push & Pushed, PackConfig> = defineTool({
  async run({remote = 'origin', branch, dry_run = false}, context) {
    const push = {remote, branch: branch ?? (await mainBranch(context, context.config)), dry_run};
    return {...push, ...(await pushBranch(context, push))};
  },
});
