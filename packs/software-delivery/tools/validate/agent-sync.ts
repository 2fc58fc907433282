// validate:agent-sync checks that the agents' instructions match their source.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../../pack-config.ts';
import {checkAgentSync} from '../../validation/check-agent-sync.ts';
import type {Validation} from '../../validation/validation-finding.ts';

export const validateAgentSync: ToolDefinition<object, Validation, PackConfig> = defineTool({
  run: async (_input, {fs, config}) => await checkAgentSync(fs, config),
});
