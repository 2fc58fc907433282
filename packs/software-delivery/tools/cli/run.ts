// cli:run runs one of the team's commands. A nested call to the tool of the command's permission does the work, so that scopes,
// policies and approvals apply to the command.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {checkArguments} from '../../cli/check-arguments.ts';
import {findCommand} from '../../cli/find-command.ts';
import type {CommandInput, CommandOutput} from '../../cli/command-runner.ts';
import type {PackConfig} from '../../pack-config.ts';

interface RunInput extends CommandInput {
  readonly dry_run?: boolean;
}

type RunOutput = Omit<CommandOutput, 'status' | 'stdout' | 'stderr' | 'truncated'> &
  Partial<CommandOutput> & {readonly dry_run: boolean};

export const cliRun: ToolDefinition<RunInput, RunOutput, PackConfig> = defineTool({
  async run({dry_run: dryRun = false, ...input}, context) {
    const {command, args = []} = input;
    const found = findCommand(context.config?.cli, command);
    checkArguments(command, found, args);
    if (dryRun) return {command, permission: found.permission, args, dry_run: true};
    const output = await context.callTool(`cli:run-${found.permission}`, input);
    return output.success ? {...(output.data as CommandOutput), dry_run: false} : output;
  },
});
