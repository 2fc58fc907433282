// What hosts use: sandboxed calls and their transactions, and the executor of external commands. Backends use ./backends.
export type {CommandExecutor, ExecutorRunInput, ExecutorRunResult, OutputSink} from './commands/command-executor.ts';
export {createSpawnExecutor, type SpawnExecutorOptions} from './commands/create-spawn-executor.ts';
export {
  spawnWithChannel,
  type ChannelEnd,
  type ChannelOptions,
  type ChannelProcess,
} from './commands/spawn-with-channel.ts';
export {createSandbox, type Sandbox} from './create-sandbox.ts';
export type {NewBackend, SandboxOptions} from './sandbox-options.ts';
export type {Guarantee, ProbeReport, Strength, Tier} from './backends/probe-report.ts';
export type {BackendChoice, SandboxRequest, SandboxResult, WarmRequest} from './backends/sandbox-call.ts';
export type {LastingRequest, Span} from './backends/lasting-request.ts';
export type {Outcome} from './outcome.ts';
export {boundConnections} from './http/bound-connections.ts';
export {stopListening} from './http/stop-listening.ts';
export type {SandboxProblem} from './sandbox-problem.ts';
export type {TransactionView, ViewEntry} from './backends/transaction-view.ts';
export {childPath, inDirectory, verifyPlace, type OpenDirectory, type WalkOptions} from './files/open-directory.ts';
export {SymlinkMet} from './files/symlink-met.ts';
export type {Tree} from './files/follow-within.ts';
export {resolveWithin} from './files/resolve-within.ts';
export {
  createTransactions,
  type TransactionalCall,
  type Transactions,
  type TransactionsOptions,
} from './transaction/create-transactions.ts';
export {openJournalKey} from './transaction/journal-key.ts';
export type {RecoveryNote} from './transaction/recovery-note.ts';
export type {NamesAtStart} from './transaction/find-conflicts.ts';
export type {WriteAccess} from './transaction/judge-changes.ts';
export {resolveLimits, type LimitsInput, type ResolvedLimits} from './limits/resolve-limits.ts';
export type {
  AppliedChanges,
  ParkedCallChanges,
  FinishedView,
  Transaction,
  TransactionProblem,
} from './transaction/transaction.ts';
export type {GivenChanges, GivenTransaction} from './transaction/make-given.ts';
export type {ParkedChanges} from './transaction/create-parked-changes.ts';
export type {WarmPoolCounters} from './backends/warm-pool-counters.ts';
export type {WarmPoolLimits} from './warm-pool/stock.ts';
export {hiddenPaths, type HiddenPaths, type HiddenPathsInput} from './profile/hidden-paths.ts';
export {pathsGitObeys, repositoryAt, type Repository} from './profile/git/paths-git-obeys.ts';
export {followLink, type FollowedLink} from './profile/follow-link.ts';
export {
  createDirectLooks,
  quarantineOf,
  type DirectCall,
  type DirectLook,
  type DirectLooks,
  type DirectLooksOptions,
} from './quarantine/create-direct-looks.ts';
export type {LookFindings} from './quarantine/look-after-call.ts';
export {watchSeals, type SealWatch} from './seals/watch-seals.ts';
export type {Quarantined} from './quarantine/quarantine-paths.ts';
export {printablePath} from './profile/path-bytes.ts';
export {filesInView} from './transaction/files-in-view.ts';
export type {CallerView} from './transaction/caller-view.ts';
export {rememberNames} from './transaction/remember-names.ts';
export {compileProfile} from './profile/compile-profile.ts';
export {createHostFiles, type FileKind, type HostEntry, type HostFiles} from './profile/host-files.ts';
export {
  type CompiledProfile,
  type HiddenRules,
  type PatternCompiler,
  type ProfileInput,
  type WatchedPath,
} from './profile/profile-input.ts';
export type {ResolveHost} from './network/resolve-target.ts';
export {createHostNetwork, type HostNetwork} from './network/create-host-network.ts';
export {sandboxBackends} from './backend-table.ts';
export {engineBackends, type EngineBackendName} from './engine/engines.ts';
export {openImageStore, type ImageStore, type ImageStoreOptions} from './engine/image/open-image-store.ts';
export {saveRunnerImage, type SavedImage} from './engine/image/save-runner-image.ts';
export type {RunnerImage} from './engine/image/runner-image.ts';
export {forgetKeptTrials} from './backends/kept-trial.ts';
export {diagnoseSandbox, type DoctorReport} from './doctor/diagnose-sandbox.ts';
export {tierCheck, tierCheckName} from './doctor/tier-check.ts';
export {inspectModule, type InspectedModule} from './wasm/module/inspect-module.ts';
export type {DoctorCheck} from './doctor/doctor-check.ts';
export type {Machine} from './doctor/machine.ts';
export {NonceCache, type NonceCacheOptions} from './signatures/nonce-cache.ts';
export type {SigningKey, VerifyingKeys} from './signatures/signing-key.ts';
export {startWorker, type Worker, type WorkerOptions} from './start-worker.ts';
export {askWorker} from './remote/ask-worker.ts';
export type {WorkerReport} from './remote/worker-report.ts';
