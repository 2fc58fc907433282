// validate:agent-skills checks that the skills named by agents exist, with unique names.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../../pack-config.ts';
import {checkAgents, findAgents} from '../../validation/check-agents.ts';
import {findSkills} from '../../validation/find-skills.ts';
import {validationOf, type Validation} from '../../validation/validation-finding.ts';

export const validateAgentSkills: ToolDefinition<object, Validation, PackConfig> = defineTool({
  async run(_input, {fs, config}) {
    const {skills} = await findSkills(fs, config);
    const agents = await findAgents(fs);
    return validationOf(agents.length + skills.length, checkAgents(agents, skills));
  },
});
