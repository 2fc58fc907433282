// validate runs all checks of files against the log and their formats.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';
import {planSlice} from '../../plans/plan-slice.ts';
import {checkAgentSync} from '../../validation/check-agent-sync.ts';
import {checkAgents, findAgents} from '../../validation/check-agents.ts';
import {checkBacklogSync} from '../../validation/check-backlog-sync.ts';
import {checkPlans} from '../../validation/check-plans.ts';
import {checkSpecs} from '../../validation/check-specs.ts';
import {findSkills} from '../../validation/find-skills.ts';
import {validationOf, type Validation} from '../../validation/validation-finding.ts';

export const validate: ToolDefinition<object, Validation, PackConfig> = defineTool({
  async run(_input, context) {
    const {fs, config} = context;
    const log = openDeliveryLog(context);
    const {skills, empty} = await findSkills(fs, config);
    const agents = await findAgents(fs);
    const parts = [
      await checkSpecs(context),
      await checkBacklogSync(context, log, 'warn'),
      await checkPlans(fs, await log.read(planSlice)),
      await checkAgentSync(fs, config),
      validationOf(skills.length, [...empty, ...skills.flatMap(({findings}) => findings)]),
      validationOf(agents.length, checkAgents(agents, skills)),
    ];
    const checked = parts.reduce((sum, part) => sum + part.checked, 0);
    return validationOf(
      checked,
      parts.flatMap(({findings}) => findings),
    );
  },
});
