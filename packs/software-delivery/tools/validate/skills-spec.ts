// validate:skills-spec checks each skill against the open Agent Skills format.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../../pack-config.ts';
import {findSkills} from '../../validation/find-skills.ts';
import {validationOf, type Validation} from '../../validation/validation-finding.ts';

export const validateSkillsSpec: ToolDefinition<object, Validation, PackConfig> = defineTool({
  async run(_input, {fs, config}) {
    const {skills, empty} = await findSkills(fs, config);
    return validationOf(skills.length, [...empty, ...skills.flatMap(({findings}) => findings)]);
  },
});
