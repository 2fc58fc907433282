// wu:call-forge: opens or reads a request for review. Called by wu:done and wu:sync.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {createForge} from '../../forge/create-forge.ts';
import type {ForgeReview, ReviewRequest} from '../../forge/forge.ts';
import type {PackConfig} from '../../pack-config.ts';

export interface CallForgeInput {
  /** The request to open; otherwise `number` is read. */
  readonly open?: Omit<ReviewRequest, 'draft'>;
  readonly number?: number;
}

export const wuCallForge: ToolDefinition<CallForgeInput, ForgeReview, PackConfig> = defineTool({
  async run({open, number = 0}, context) {
    const forge = createForge(context);
    if (open === undefined) return await forge.read(number);
    return await forge.open({...open, draft: context.config?.forge?.draft ?? false});
  },
});
