// validate:backlog-sync checks that backlog.md and status.md equal the rendered log.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {checkBacklogSync} from '../../validation/check-backlog-sync.ts';
import type {Validation} from '../../validation/validation-finding.ts';

export const validateBacklogSync: ToolDefinition<object, Validation, PackConfig> = defineTool({
  run: async (_input, context) => await checkBacklogSync(context, openDeliveryLog(context), 'error'),
});
