// wu:merge: the one step of wu:done that moves the main branch.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../delivery-log.ts';
import {moveBranch, type MoveRequest} from '../../done/move-branch.ts';
import type {PackConfig} from '../../pack-config.ts';

interface WuMergeOutput {
  /** False: the main branch is not where it was when the gates ran. */
  readonly moved: boolean;
}

export const wuMerge: ToolDefinition<MoveRequest, WuMergeOutput, PackConfig> = defineTool({
  run: async (request, context) => ({moved: await moveBranch(context, openDeliveryLog(context), request)}),
});
