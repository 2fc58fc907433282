// What a pack's author imports.
export {defineTool, isToolDefinition, type ToolDefinition, type ToolHandler, type WaitingPlace} from './define-tool.ts';
export {
  defineCapabilityFactory,
  definePolicyFactory,
  type Capabilities,
  type CapabilityFactory,
  type FactoryRule,
  type InputCapabilities,
  type NetworkEntry,
  type PolicyEvaluationContext,
  type PolicyFactory,
  type TaskEvidence,
} from './define-factories.ts';
export {ToolError, isToolError} from './tool-error.ts';
export type {
  DirectoryEntry,
  ExecOptions,
  ExecResult,
  FileStat,
  PackState,
  ScopedFileSystem,
  StateExpectation,
  StateLines,
  StateText,
  StateVersion,
  ToolContext,
  ToolLog,
} from './tool-context.ts';
export type {GrantedScopes, ToolOutput} from '@lumenflow/schemas';
