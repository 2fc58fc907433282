// Runs a configured command in the call's sandbox. Each permission has its own tool, so that sandbox and policies enforce the
// command's declared permission and not its author's.
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';
import {createRuntimeCliAdapter, requireOk, type CliResult} from '@lumenflow/pack-sdk/cli';
import type {CliCommandConfig, PackConfig} from '../pack-config.ts';
import {checkArguments} from './check-arguments.ts';
import {findCommand} from './find-command.ts';

export interface CommandInput {
  readonly command: string;
  readonly args?: readonly string[];
  readonly stdin?: string;
}

export interface CommandOutput extends Pick<CliResult, 'status' | 'stdout' | 'stderr'> {
  readonly command: string;
  readonly permission: CliCommandConfig['permission'];
  readonly args: readonly string[];
  /** The output was cut at its size limit. */
  readonly truncated: boolean;
}

export function commandRunner(
  permission: CliCommandConfig['permission'],
): ToolDefinition<CommandInput, CommandOutput, PackConfig> {
  return defineTool({
    async run({command, args = [], stdin}, {config, signal, workspace_root: workspaceRoot}) {
      const cli = config?.cli;
      const found = findCommand(cli, command);
      if (found.permission !== permission) {
        const message = `\`${command}\` has the permission \`${found.permission}\`: call \`cli:run\` instead`;
        throw new ToolError('CLI_PERMISSION_MISMATCH', message, {command, permission: found.permission});
      }
      checkArguments(command, found, args);
      const {module, script, timeout_ms} = found;
      const adapter = createRuntimeCliAdapter({
        workspaceRoot,
        root: cli?.root ?? '.',
        commands: {[command]: {module, script}},
      });
      const result = await adapter.run(command, args, {
        signal,
        stdin,
        timeout_ms,
        max_output_bytes: 256 * 1024,
      });
      const {status, stdout, stderr, truncated = false} = requireOk(command, result);
      return {command, permission, args, status, stdout, stderr, truncated};
    },
  });
}
