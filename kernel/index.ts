// What programs that use a runtime need: the runtime, what it returns, and what an embedder passes to it.
// Programs that implement its ports use ./adapters.ts.
export type {ApprovalFilter, EventFilter, KernelRuntime, TaskFilter} from './runtime/kernel-runtime.ts';
export {
  KernelError,
  isKernelError,
  type CallErrorCode,
  type KernelErrorCode,
  type TransitionErrorCode,
} from './errors.ts';
export {failed, ok, type Failed, type Outcome, type Success} from './outcome.ts';
export type {Problem} from './problem.ts';
export {isIdentifier} from './names/identifier.ts';
export {nearestName} from './names/nearest-name.ts';
export {toolWrites, type WriteCircumstances} from './calls/write-mode.ts';
export type {CancelSignal} from './dispatch/cancel-signal.ts';
export type {
  Clock,
  Dispatcher,
  DispatchOutcome,
  DispatchRequest,
  EvidenceExportFilter,
  EvidenceFilter,
  EvidencePage,
  Receipt,
  VerifyReport,
} from './ports.ts';
export type {LoadedPack, LoadedTool, RegisteredTool} from './packs/loaded-pack.ts';
export type {PackRequest, PackSource} from './packs/pack-source.ts';
export type {PackReloads} from './reload/pack-reloads.ts';
export type {PackReload, ReloadedPack, ToolsChanged} from './reload/reload-packs.ts';
export type {CompiledLane, CompiledWorkspace} from './workspace/compiled-workspace.ts';
export type {ReviewedExample, ReviewedRule} from './workspace/review-policies.ts';
export type {LayerTrace, PolicyExplanation, PolicyResult, PolicyWarning} from './policy/index.ts';
export type {Grant, PathRefusal, ScopeLayer} from './scopes/index.ts';
export type {ExecutionContext, Surface} from './calls/execution-context.ts';
export type {Explanation} from './calls/explain-tool.ts';
export type {GovernedTool} from './calls/list-governed-tools.ts';
export type {PathVerdict} from './calls/path-verdicts.ts';
export type {LaneContext} from './calls/simulate-call.ts';
export type {TransitionFailure, TransitionResult} from './transition.ts';
export type {AmendCommand, TaskChanges} from './transitions/amend-task.ts';
export type {SupposedTransition, TransitionExplanation} from './transitions/explain-transition.ts';
export type {TaskView} from './transitions/view-task.ts';
export type {TaskRecord, TaskRun} from './tasks/task-record.ts';
export type {ApprovalRecord, StandingApproval} from './approvals/approval-record.ts';
export type {ApprovalResolution} from './approvals/decide-approval.ts';
export type {ApprovalWithdrawal} from './transitions/withdraw-approvals.ts';
export type {RuntimeChanges} from './runtime/runtime-changes.ts';
export type {KeptChanges} from './changes/kept-changes.ts';
export type {KeptCommand} from './transitions/settle-kept.ts';
export type {ChangesView} from './transitions/view-changes.ts';
export type {Redaction, RedactionReason, RedactionTarget} from './transitions/redact-evidence.ts';
export {refusalsOf, type RefusedBy, type RefusedThing} from './evidence/index.ts';
