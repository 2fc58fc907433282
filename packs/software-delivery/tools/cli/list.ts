// cli:list lists the commands that cli:run can run.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {CliCommandConfig, PackConfig} from '../../pack-config.ts';

interface ListInput {
  readonly permission?: CliCommandConfig['permission'];
}

interface ListOutput {
  readonly root: string | null;
  readonly commands: readonly (CliCommandConfig & {readonly command: string})[];
}

export const cliList: ToolDefinition<ListInput, ListOutput, PackConfig> = defineTool({
  run({permission}, {config}) {
    const {root = null, commands = {}} = config?.cli ?? {};
    return {
      root,
      commands: Object.entries(commands)
        .map(([command, words]) => ({command, ...words}))
        .filter((each) => permission === undefined || each.permission === permission),
    };
  },
});
