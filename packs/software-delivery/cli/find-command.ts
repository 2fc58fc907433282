// Finds a configured command by name.
import {ToolError} from '@lumenflow/pack-sdk';
import type {CliCommandConfig, CliConfig} from '../pack-config.ts';

/** Throws ToolError CLI_NOT_CONFIGURED and CLI_COMMAND_NOT_FOUND. */
export function findCommand(cli: CliConfig | undefined, command: string): CliCommandConfig {
  if (cli === undefined) {
    const message = 'no commands are configured: declare them under `software_delivery.cli` in workspace.yaml';
    throw new ToolError('CLI_NOT_CONFIGURED', message);
  }
  const found = Object.hasOwn(cli.commands, command) ? cli.commands[command] : undefined;
  if (found !== undefined) return found;
  const known = Object.keys(cli.commands);
  const message = `the command \`${command}\` is not configured: run \`cli:list\` to see all commands`;
  throw new ToolError('CLI_COMMAND_NOT_FOUND', message, {command, known});
}
