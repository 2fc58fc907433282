// wu:check-out: the git part of wu:claim, which alone calls it, so that only this call may write to the repository.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {checkOut, type CheckOutRequest} from '../../claims/check-out.ts';
import type {CheckOut} from '../../claims/claim-work-unit.ts';
import type {PackConfig} from '../../pack-config.ts';

export const wuCheckOut: ToolDefinition<CheckOutRequest, CheckOut, PackConfig> = defineTool({
  run: async (request, context) => await checkOut(context, request),
});
