// wu:check-out: the git part of wu:claim. It is a separate tool, so that only this call may write to the repository.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';
import {checkOut, type CheckOutRequest} from '../../claims/check-out.ts';
import type {CheckOut} from '../../claims/claim-work-unit.ts';
import type {PackConfig} from '../../pack-config.ts';
import {makeWorktreesFolder} from '../../worktrees/create-worktree.ts';

export const wuCheckOut: ToolDefinition<CheckOutRequest, CheckOut, PackConfig> = defineTool({
  async run(request, context) {
    if (await makeWorktreesFolder(context)) return await checkOut(context, request);
    return (await callOrThrow(context, 'wu:check-out', request)) as CheckOut;
  },
});
