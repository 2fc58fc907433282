// Finding, describing, running and chaining tools, for programs that embed the host.
export {createExec, type Exec, type ExecHost, type ExecOptions} from './create-exec.ts';
export {createToolCatalogue, type ToolCatalogue} from './tool-catalogue.ts';
export {createDiscovery, type Discovery, type DocOptions, type Govern, type SearchOptions} from './create-discovery.ts';
export type {RunOptions} from './run-tool.ts';
export {codeToolFor, createCodeRunner, type CodeOptions, type RunCode} from './code/run-code.ts';
export type {ChainOptions, RunChain} from './chain/create-chain-runner.ts';
export type {
  ChainCondition,
  ChainLimits,
  ChainResult,
  ChainStep,
  ChainStepResult,
  CodeCall,
  CodeLanguage,
  CodeLimits,
  CodeReport,
  CodeRequest,
  CodeResult,
  CodeUsed,
  Permission,
  ToolChain,
  ToolDoc,
  ToolDocLevel,
  ToolFailure,
  ToolNamespace,
  ToolRun,
  ToolSummary,
} from '@lumenflow/schemas';
