// What programs that implement the kernel's ports need: the ports, what compiles a workspace for them, and the mathematics of
// the evidence log. Programs that use a runtime use ./index.ts.
export {createKernel, type KernelOptions} from './runtime/create-kernel.ts';
export type {
  ContentStore,
  Digest,
  EventLog,
  EventRange,
  EvidenceStore,
  Ids,
  KernelPorts,
  NewEvent,
  NewEvidenceRecord,
  ProcessRegistry,
  SignedLog,
  SpecGuard,
  TaskStore,
} from './ports.ts';
export {readRefused} from './runtime/read-refused.ts';
export type {Snapshot, SnapshotStore} from './records/snapshot-store.ts';
export {
  isFinalError,
  type Engine,
  type EngineRun,
  type EngineWork,
  type EngineWorker,
  type RunProgress,
  withCheckedRunIds,
} from './engine/index.ts';
export type {EvidenceSigner, EvidenceWitness} from './evidence/verify-report.ts';
export type {PathLook, WorkspacePaths} from './paths/workspace-paths.ts';
export type {ApplyResult, FinishedChanges, ParkedChanges, ParkResult} from './dispatch/finished-changes.ts';
export type {GivenChanges} from './dispatch/given-changes.ts';
export type {HandlerHome} from './dispatch/handler-home.ts';
export {missingApprovals, type ApprovalAnswer} from './approvals/missing-approvals.ts';
export type {PasskeyVerifier} from './passkey-verifier.ts';
export {isPasskeyOf} from './passkeys/passkey-record.ts';
export {isNextCount, signCountOf} from './passkeys/sign-count.ts';
export {foldPeople, type FoldedPeople} from './people/fold-people.ts';
export {RecentMap} from './recent-map.ts';
export {isPromise, type MaybePromise} from './maybe-promise.ts';
export {pairRenames} from './changes/pair-renames.ts';
export {sealChangeSet} from './changes/seal-change-set.ts';
export {
  compileMatcher,
  isNetworkTargetAllowed,
  normalizePath,
  parsePattern,
  type Holes,
  type NetworkReach,
  type PathMatcher,
  type PathPattern,
} from './scopes/index.ts';
export {kernelPackId} from './builtin-pack/create-builtin-pack.ts';
export type {SchemaIssue, ValueValidator} from './packs/loaded-pack.ts';
export type {PackReloader} from './reload/reload-packs.ts';
export {describeSchemaErrors, type SchemaFinding} from './schema/describe-schema-errors.ts';
export {schemaIssues} from './schema/schema-issues.ts';
export {compileGlobs, resolveSets, type PolicySets} from './policy/index.ts';
export {
  describesItself,
  type CredentialKey,
  type DocumentSource,
  type ServiceCall,
  type ServiceClient,
  type ServiceDescription,
  type ServiceFailure,
  type ServiceKind,
  type ServiceNetwork,
  type ServiceOperation,
  type ServiceProblem,
  type ServiceReply,
  type ServiceValue,
} from './services/index.ts';
export type {LoadedRule, LocatedRule, PolicyCompilerPorts} from './policy/index.ts';
export {
  compileWorkspace,
  type WorkspaceCompilation,
  type WorkspaceCompilerPorts,
  type WorkspaceSource,
} from './workspace/compile-workspace.ts';
export {requiredTiers, type RequiredTier} from './workspace/required-tiers.ts';
export {sandboxChoice} from './workspace/sandbox-choice.ts';
export {
  unmetTiers,
  /** @deprecated Use `unmetTiers`. Until 0.2. */
  unmetTiers as unmetProfiles,
} from './workspace/unmet-tiers.ts';
export {lintPolicies} from './workspace/lint-policies.ts';
export {reviewPolicies} from './workspace/review-policies.ts';
export {
  attestationText,
  blobsOf,
  canonicalJson,
  checkpointText,
  consistencyPath,
  cosign,
  cosignedText,
  decodeBase64,
  decodeHex,
  encodeBase64,
  encodeHex,
  formatWitnessRequest,
  inclusionPath,
  isConsistent,
  isIncluded,
  judgeCheckpoint,
  leafHash,
  MerkleTree,
  nodeHash,
  noteText,
  openNote,
  parseCheckpoint,
  parseWitnessRequest,
  readCosignature,
  signatureLinesOf,
  signNote,
  tryCanonicalJson,
  verifyConsistencyProof,
  verifyProof,
  type Checkpoint,
  type CompactRange,
  type ConsistencyClaim,
  type CosignedHead,
  type Cosigner,
  type HashBytes,
  type InclusionClaim,
  type NoteSigner,
  type NoteVerifier,
  type ProofPorts,
  type ProofVerdict,
  type SubtreeHashes,
  type VisitSubtree,
  type WitnessDecision,
  type WitnessedLog,
} from './evidence/index.ts';
