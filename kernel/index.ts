// The public kernel: the decisions and the pipeline, pure, against ports.
export {createKernel, type KernelOptions} from './create-kernel.ts';
export type {ApprovalFilter, EventFilter, KernelRuntime, TaskFilter} from './kernel-runtime.ts';
export {
  KernelError,
  isKernelError,
  type CallErrorCode,
  type KernelErrorCode,
  type TransitionErrorCode,
} from './errors.ts';
export type {Problem} from './problem.ts';
export {isIdentifier} from './identifier.ts';
export {toolWrites, type WriteCircumstances} from './calls/write-mode.ts';
export {nearestName} from './nearest-name.ts';
export {describeSchemaErrors, type SchemaFinding} from './schema/describe-schema-errors.ts';
export {schemaIssues} from './schema/schema-issues.ts';
export type {TransitionFailure, TransitionResult} from './transition.ts';
export type {CancelSignal} from './cancel-signal.ts';
export type {RuntimeChanges} from './runtime-changes.ts';
export type {KeptChanges} from './changes/kept-changes.ts';
export type {KeptCommand} from './transitions/settle-kept.ts';
export type {ChangesView} from './transitions/view-changes.ts';
export {pairRenames} from './changes/pair-renames.ts';
export {sealChangeSet} from './changes/seal-change-set.ts';
export type {
  Clock,
  Digest,
  DispatchOutcome,
  Dispatcher,
  DispatchRequest,
  EventLog,
  EvidenceExportFilter,
  EvidenceFilter,
  EvidenceLog,
  EvidencePage,
  Ids,
  KernelPorts,
  NewEvent,
  NewEvidenceRecord,
  ProcessRegistry,
  Receipt,
  SpecGuard,
  TaskStore,
  VerifyReport,
} from './ports.ts';
export type {ApplyResult, FinishedChanges, ParkedChanges, ParkResult} from './finished-changes.ts';
export type {PathLook, WorkspacePaths} from './paths/workspace-paths.ts';
export {kernelPackId} from './builtin-pack/create-builtin-pack.ts';
export type {LoadedPack, LoadedTool, RegisteredTool, SchemaIssue, ValueValidator} from './packs/loaded-pack.ts';
export type {PackRequest, PackSource} from './packs/pack-source.ts';
export type {PackReloads} from './reload/pack-reloads.ts';
export type {PackReload, PackReloader, ReloadedPack, ToolsChanged} from './reload/reload-packs.ts';
export type {
  LayerTrace,
  LoadedRule,
  LocatedRule,
  PolicyCompilerPorts,
  PolicyExplanation,
  PolicyQuestion,
  PolicyResult,
  PolicyWarning,
} from './policy/index.ts';
export {
  compileMatcher,
  explainPath,
  isNetworkTargetAllowed,
  normalizePath,
  parseNetworkEntry,
  parsePattern,
  reservedPath,
  type Grant,
  type Holes,
  type NetworkReach,
  type PathMatcher,
  type PathPattern,
  type PathRefusal,
  type ScopeLayer,
} from './scopes/index.ts';
export type {ApprovalRecord, StandingApproval} from './approvals/approval-record.ts';
export type {Redaction, RedactionReason, RedactionTarget} from './transitions/redact-evidence.ts';
export type {SupposedTransition, TransitionExplanation} from './transitions/explain-transition.ts';
export type {AmendCommand, TaskChanges} from './transitions/amend-task.ts';
export type {TaskView} from './transitions/view-task.ts';
export type {ApprovalResolution} from './transitions/resolve-approval.ts';
export type {ApprovalWithdrawal} from './transitions/withdraw-approvals.ts';
export type {TaskRecord, TaskRun} from './tasks/task-record.ts';
export type {GivenChanges} from './given-changes.ts';
export type {ExecutionContext, Surface} from './calls/execution-context.ts';
export type {Explanation} from './calls/explain-tool.ts';
export type {PathVerdict} from './calls/path-verdicts.ts';
export type {GovernedTool} from './calls/list-governed-tools.ts';
export type {LaneContext} from './calls/simulate-call.ts';
export {
  compileWorkspace,
  type WorkspaceCompilation,
  type WorkspaceCompilerPorts,
  type WorkspaceSource,
} from './workspace/compile-workspace.ts';
export {reviewPolicies, type ReviewedExample, type ReviewedRule} from './workspace/review-policies.ts';
export type {CompiledLane, CompiledWorkspace} from './workspace/compiled-workspace.ts';
export {
  blobsOf,
  canonicalJson,
  checkpointText,
  consistencyPath,
  decodeBase64,
  decodeHex,
  encodeBase64,
  encodeHex,
  inclusionPath,
  isConsistent,
  isIncluded,
  isNotCanonicalError,
  leafHash,
  MerkleTree,
  nodeHash,
  openNote,
  parseCheckpoint,
  signNote,
  verifyConsistencyProof,
  verifyProof,
  type Checkpoint,
  type CompactRange,
  type ConsistencyClaim,
  type HashBytes,
  type InclusionClaim,
  type NoteSigner,
  type NoteVerifier,
  type ProofPorts,
  type ProofVerdict,
  type SubtreeHashes,
  type VisitSubtree,
  refusalsOf,
  type RefusedBy,
  type RefusedThing,
} from './evidence/index.ts';
