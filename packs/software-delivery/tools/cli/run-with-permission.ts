// cli:run-read, cli:run-write and cli:run-admin, which only cli:run calls.
import type {ToolDefinition} from '@lumenflow/pack-sdk';
import {commandRunner, type CommandInput, type CommandOutput} from '../../cli/command-runner.ts';
import type {PackConfig} from '../../pack-config.ts';

type Runner = ToolDefinition<CommandInput, CommandOutput, PackConfig>;

export const cliRunRead: Runner = commandRunner('read');
export const cliRunWrite: Runner = commandRunner('write');
export const cliRunAdmin: Runner = commandRunner('admin');
