// What a pack's author imports.
export {
  defineTool,
  isToolDefinition,
  type CodeDeclaration,
  type ToolDefinition,
  type ToolHandler,
  type WaitingPlace,
} from './define-tool.ts';
export {
  defineCapabilityFactory,
  definePolicyFactory,
  type Capabilities,
  type CapabilityFactory,
  type InputCapabilities,
  type NetworkEntry,
  type PolicyFactory,
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
export type {
  FactoryRule as PolicyRule,
  /** The name of `PolicyRule` until 0.2. */
  FactoryRule,
  GrantedScopes,
  PolicyEvaluationContext,
  TaskEvidence,
  ToolOutput,
} from '@lumenflow/schemas';
