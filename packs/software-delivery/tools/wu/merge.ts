// wu:merge: the only step of wu:done that moves the main branch.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {moveBranch, type MoveRequest} from '../../done/move-branch.ts';
import type {PackConfig} from '../../pack-config.ts';

interface WuMergeOutput {
  /** False if the main branch has moved since the gates ran. */
  readonly moved: boolean;
}

export const wuMerge: ToolDefinition<MoveRequest, WuMergeOutput, PackConfig> = defineTool({
  run: async (request, context) => ({moved: await moveBranch(context, openDeliveryLog(context), request)}),
});
