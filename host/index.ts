// What an embedding program imports.
export {
  createHostDispatcher,
  createHostPackSource,
  startHost,
  type Host,
  type HostDispatcher,
  type HostOptions,
} from './compose.ts';
export type {HostPackSource} from './packs/load-packs.ts';
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
  SessionError,
  type CallOptions,
  type Session,
  type SessionRequest,
} from './sessions/open-session.ts';
export type {Durations, PoolCounters} from './pool/index.ts';
export {packIntegrity, type IntegrityRequest} from './packs/pack-integrity.ts';
export {
  reviewWorkspacePolicies,
  type PolicyReview,
  type PolicyReviewRequest,
} from './policies/review-workspace-policies.ts';
export {version} from './version.ts';
export {verifyEvidence} from '@lumenflow/kernel/node';
