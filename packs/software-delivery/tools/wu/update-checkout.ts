// wu:update-checkout: called by wu:done after the merge.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {MovedBranch} from '../../done/moved-branch.ts';
import {updateCheckout, type CheckoutUpdate} from '../../done/update-checkout.ts';

export const wuUpdateCheckout: ToolDefinition<MovedBranch, CheckoutUpdate> = defineTool({
  run: async (moved, context) => await updateCheckout(context, moved),
});
