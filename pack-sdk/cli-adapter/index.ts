// Wraps existing command-line programs as tools, in the process of the sandbox.
export {cliTool, requireOk, type CliToolWords} from './cli-tool.ts';
export {
  createRuntimeCliAdapter,
  runtimeCliAdapter,
  type RuntimeCliAdapter,
  type RuntimeCliAdapterOptions,
} from './create-runtime-cli-adapter.ts';
export type {CliResult, CliRunOptions} from './run/cli-result.ts';
export type {CliCommand} from './find-command.ts';
export {RuntimeCliExitSignal, isExitSignal} from './run/exit-signal.ts';
