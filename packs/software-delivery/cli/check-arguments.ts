// Validates a command's arguments against its schema before the command runs.
import {ToolError} from '@lumenflow/pack-sdk';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import type {CliCommandConfig} from '../pack-config.ts';

/** Throws ToolError CLI_ARGUMENTS_INVALID and CLI_SCHEMA_INVALID. */
export function checkArguments(
  command: string,
  {args_schema: schema}: Pick<CliCommandConfig, 'args_schema'>,
  args: readonly string[],
): void {
  if (schema === undefined) return;
  const validate = compile(command, schema);
  if (validate(args)) return;
  const problems = (validate.errors ?? []).map(({instancePath: pointer, message = 'is not valid'}) => ({
    pointer,
    message,
  }));
  const listed = problems.map(({pointer, message}) => `${pointer === '' ? 'they' : `\`${pointer}\``} ${message}`);
  throw new ToolError('CLI_ARGUMENTS_INVALID', `the arguments of \`${command}\` are not valid: ${listed.join(', ')}`, {
    command,
    problems,
  });
}

function compile(command: string, schema: Readonly<Record<string, unknown>>): ValidateFunction {
  try {
    return new Ajv2020({allErrors: true, strictTypes: false, strictTuples: false}).compile(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the args_schema of \`${command}\` in workspace.yaml is not a valid JSON Schema: ${reason}`;
    throw new ToolError('CLI_SCHEMA_INVALID', message, {command});
  }
}
