// Makes a tool of a command: its input becomes arguments, its output data.
import {defineTool, ToolError, type ToolContext, type ToolDefinition, type ToolHandler} from '@lumenflow/pack-sdk';
import type {CliResult, CliRunOptions} from './run/cli-result.ts';
import {createRuntimeCliAdapter, type RuntimeCliAdapterOptions} from './create-runtime-cli-adapter.ts';
import type {CliCommand} from './find-command.ts';

export interface CliToolWords<Input, Output, Config>
  extends
    Pick<ToolHandler<Input, Output, Config>, 'declaration' | 'input' | 'output' | 'config'>,
    Pick<RuntimeCliAdapterOptions, 'root'>,
    Pick<CliRunOptions, 'timeout_ms' | 'max_output_bytes'>,
    CliCommand {
  /** What the command is called; without `module` or `script` also the path of its module. */
  readonly command: string;
  args(input: Input, context: ToolContext<Config>): readonly string[];
  stdin?(input: Input): string | Uint8Array;
  /**
   * What the command says, as the tool's data. Default the result itself, and ToolError CLI_FAILED when it is not ok;
   * a command whose other statuses are answers too reads them here.
   */
  read?(result: CliResult, input: Input): Output | Promise<Output>;
}

export function cliTool<Input = unknown, Output = CliResult, Config = unknown>(
  words: CliToolWords<Input, Output, Config>,
): ToolDefinition<Input, Output, Config> {
  const {command, args, stdin, read, root, module, script, timeout_ms, max_output_bytes, ...schemas} = words;
  return defineTool<Input, Output, Config>({
    ...schemas,
    async run(input, context) {
      const adapter = createRuntimeCliAdapter({
        workspaceRoot: context.workspace_root,
        root,
        commands: {[command]: {module, script}},
      });
      const result = await adapter.run(command, args(input, context), {
        signal: context.signal,
        stdin: stdin?.(input),
        timeout_ms,
        max_output_bytes,
      });
      return read === undefined ? (requireOk(command, result) as Output) : await read(result, input);
    },
  });
}

/** The result of a command that succeeded. Throws ToolError CLI_FAILED with the result in its details otherwise. */
export function requireOk(command: string, result: CliResult): CliResult {
  if (result.ok) return result;
  const reason = result.execution_error ?? `it ended with status ${result.status}`;
  throw new ToolError('CLI_FAILED', `\`${command}\` failed: ${reason}`, {...result});
}
