// git:branch lists the local branches with commit and upstream.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {readBranches, type Branch} from '../../git/read-branches.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface GitBranchInput {
  /** Only branches whose name begins with this, for example `lane/core`. */
  readonly under?: string;
  /** Default 1,000. */
  readonly max_entries?: number;
}

interface GitBranchOutput {
  readonly branches: readonly Branch[];
  readonly truncated: boolean;
}

export const gitBranch: ToolDefinition<GitBranchInput, GitBranchOutput> = defineTool({
  async run({under, max_entries: entriesMax = 1000}, call) {
    const branches = await readBranches(await inCheckout(call), call.workspace_root, under);
    return {branches: branches.slice(0, entriesMax), truncated: branches.length > entriesMax};
  },
});
