// What programs that use a runtime need: the runtime, what it returns, and what an embedder passes to it.
// Programs that implement its ports use ./adapters.ts.
export type {EventFilter, KernelRuntime} from './runtime/kernel-runtime.ts';
export type {TaskFilter} from './runtime/list-tasks.ts';
export type {ApprovalFilter} from './runtime/list-approvals.ts';
export {
  ContentDeleted,
  KernelError,
  isKernelError,
  type CallErrorCode,
  type KernelErrorCode,
  type TransitionErrorCode,
} from './errors.ts';
export {failed, ok, type Failed, type Outcome} from './outcome.ts';
export type {Problem} from './problem.ts';
export {missingText} from './approvals/missing-text.ts';
export {inputBounds} from './limits.ts';
export {cutText} from './cut-text.ts';
export {isIdentifier} from './names/identifier.ts';
export {nearestName} from './names/nearest-name.ts';
export {toolWrites} from './calls/write-mode.ts';
export type {
  Clock,
  Dispatcher,
  DispatchOutcome,
  DispatchRequest,
  EvidenceExportFilter,
  EvidenceFilter,
  EvidencePage,
  Receipt,
} from './ports.ts';
export type {CosignedCheckpoint, WitnessAnswer} from './evidence/cosigned-checkpoint.ts';
export type {VerifyReport} from './evidence/verify-report.ts';
export type {LoadedPack, LoadedTool, RegisteredTool} from './packs/loaded-pack.ts';
export type {PackRequest, PackSource} from './packs/pack-source.ts';
export type {PackReload, ToolsChanged} from './reload/reload-packs.ts';
export type {CompiledLane, CompiledWorkspace} from './workspace/compiled-workspace.ts';
export type {PolicyFinding} from './workspace/lint-policies.ts';
export type {ReviewedRule} from './workspace/review-policies.ts';
export type {PolicyEvaluationContext, PolicyRule, ToolFailure, ToolOutput} from '@lumenflow/schemas';
export type {PolicyExplanation} from './policy/index.ts';
export type {Grant, ScopeLayer} from './scopes/index.ts';
export type {ExecutionContext, Surface} from './calls/execution-context.ts';
export type {Explanation} from './calls/explain-tool.ts';
export type {SandboxChoice} from './dispatch/sandbox-choice.ts';
export type {GovernedTool, ToolReach} from './dispatch/tool-reach.ts';
export type {PathVerdict} from './calls/path-verdicts.ts';
export type {LaneContext} from './calls/simulate-call.ts';
export type {TransitionFailure, TransitionResult} from './transition.ts';
export type {SupposedTransition, TransitionExplanation} from './transitions/explain-transition.ts';
export type {TaskView} from './transitions/view-task.ts';
export {countsTowardsWip} from './tasks/counts-towards-wip.ts';
export type {TaskRecord, TaskRun} from './tasks/task-record.ts';
export type {ApprovalRecord, StandingApproval} from './approvals/approval-record.ts';
export type {ApprovalRequest, RequestedApproval} from './transitions/request-approval.ts';
export type {ApprovalResolution} from './approvals/decide-approval.ts';
export {isSameIssuer, type PersonRecord, type ProvisionedPerson, type SignIn} from './people/person-record.ts';
export {approvalChallenge} from './passkeys/approval-challenge.ts';
export type {PasskeyEnrolment, PasskeyRemoval} from './passkeys/decide-passkey.ts';
export type {PasskeyRecord} from './passkeys/passkey-record.ts';
export {requiresPasskey} from './passkeys/refuse-unsigned.ts';
export type {GroupCommand, ProvisionedGroup} from './people/provisioned-group.ts';
export type {ProvisionCommand, SignInCommand, SignOutCommand} from './people/decide-people.ts';
export type {NotificationStatus} from './notifications/notification-statuses.ts';
export type {DueNotification, NotificationOutcome} from './transitions/notify-receivers.ts';
export type {RuntimeNotifications} from './runtime/runtime-notifications.ts';
export type {RuntimePeople} from './runtime/runtime-people.ts';
export type {KeptChanges} from './changes/kept-changes.ts';
export type {ChangesView} from './transitions/view-changes.ts';
export {refusalsOf} from './evidence/index.ts';
