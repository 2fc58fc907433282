// The API for embedding programs.
export {
  createHostDispatcher,
  createHostPackSource,
  startHost,
  type Host,
  type HostDispatcher,
  type HostOptions,
} from './compose.ts';
export {initializeKernelRuntime} from './initialize-kernel-runtime.ts';
export type {LocalHandler, LocalHandlers} from './local-handlers/index.ts';
export type {HostPackSource} from './packs/pack-source.ts';
export {
  startHttpServer,
  openTokenStore,
  TokenFileError,
  type HttpHost,
  type HttpServer,
  type HttpServerOptions,
  type Principal,
  type Role,
  type TokenEntry,
  type TokenStore,
} from './http/index.ts';
export {
  openSession,
  type CallOptions,
  type Session,
  type SessionRequest,
  type SessionResult,
} from './sessions/open-session.ts';
export {AgentSessionError} from './agent/agent-session-error.ts';
export {agentWork} from './agent/agent-work.ts';
export {createEmbeddedEngine, type EmbeddedEngineOptions} from './engine/create-embedded-engine.ts';
export {startAgentScheduler, type AgentScheduler, type AgentSchedulerOptions} from './agent/agent-scheduler.ts';
export {
  resumeAgentSession,
  startAgentSession,
  type AgentHost,
  type AgentRun,
  type AgentRunOptions,
  type ContinueRequest,
  type StartRequest,
} from './agent/agent-sessions.ts';
export {runGovernedAgentLoop} from './agent/run-governed-agent-loop.ts';
export type {AgentEvent, AgentLoopResult} from './agent/agent-event.ts';
export type {AgentLoopRequest, AgentSession, AskApproval} from './agent/agent-loop-request.ts';
export type {
  CallDecision,
  ContinuationReason,
  RequestedTool,
  SessionBrief,
  SessionOutcome,
  SessionView,
  TurnData,
} from '@lumenflow/schemas/agent-session';
export type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
export type {Durations, PoolCounters} from './pool/index.ts';
export {packIntegrity, type IntegrityRequest} from './packs/pack-integrity.ts';
export {type LoadRequest as PolicyReviewRequest} from './loading/with-loaded-workspace.ts';
export {reviewWorkspacePolicies, type PolicyReview} from './policies/review-workspace-policies.ts';
export {LinkKeyError, openLinks, type LinkOptions, type LinkService} from './approvals/links/index.ts';
export {ReceiverError, startNotifier, type Notifier, type NotifierOptions} from './notifications/index.ts';
export {version} from './version.ts';
export {verifyEvidence} from '@lumenflow/kernel/node';
