// The kernel on files: starting it on a workspace folder, and what a pack source needs of it.
export {initializeKernelRuntime, packRequestOf, type InitializeOptions} from './initialize-kernel-runtime.ts';
export type {RecordedCalls, RecordObserver} from './evidence/observe-records.ts';
export {compileRegex} from './compile-regex.ts';
export {createSchemaCompiler, type SchemaCompiler} from './schema/schema-compiler.ts';
export type {ArchiveStore} from './archive/archive-store.ts';
export {openFolderArchive} from './archive/open-folder-archive.ts';
export {putAndCompare, type OnStep} from './archiving/move-to-archive.ts';
export {shredPack} from './archiving/shred-archived.ts';
export {packHeader} from './blobs/blob-ref.ts';
export {EventSnapshots} from './events/event-snapshots.ts';
export type {ArchivedSegment, ArchiveOrder, ArchiveReport} from './archiving/archive-state.ts';
export {openFileState, type FileState, type FileStateOptions} from './state/open-file-state.ts';
export {openWorkspaceLog, verifyWorkspaceState, type WorkspaceLogOptions} from './state/open-workspace-log.ts';
export type {ContentReader, WorkspaceState} from './state/workspace-state.ts';
export type {CheckpointStore, LiveLines, LogReader, LogSource, WorkspaceLogs} from './signed-log/log-reader.ts';
export type {CursorStop, LineCursor, LinePlace, LinePosition, VisitLine} from './log/line-cursor.ts';
export type {TreeCache, TreeCompanion} from './signed-log/log-tree.ts';
export type {OpenSignedLog} from './signed-log/open-signed-log.ts';
export type {ContentReading, ReadContent} from './verify/blob-check.ts';
export {RecordEncoder} from './evidence/record-encoder.ts';
export {recordedRefs} from './evidence/refs-of.ts';
export {parseSpec, specText} from './tasks/spec-text.ts';
export {compareStates, copyState, type CopyOptions, type CopyReport} from './copy/copy-state.ts';
export {importToFiles} from './copy/import-to-files.ts';
export type {LogName} from './log/log-name.ts';
export type {StateImport} from './copy/state-import.ts';
export {WorkspaceLock, type WorkspaceLockOptions} from './lock/workspace-lock.ts';
export {createProcessRegistry} from './lock/process-registry.ts';
export {createLineCursor, type FetchLines} from './log/create-line-cursor.ts';
export {
  noteKeyOf,
  openSigningKeys,
  parseSigningKey,
  parseVerifierKey,
  type NoteKey,
  type SigningKeyOptions,
  type SigningKeys,
} from './signed-log/note-key.ts';
export {createRandomIds} from './system/random-ids.ts';
export {createWorkspacePaths} from './system/workspace-paths.ts';
export {EventLoopTurns} from './system/event-loop-turns.ts';
export {createSystemClock} from './system/system-clock.ts';
export {passkeyVerifier} from './passkeys/passkey-verifier.ts';
export {readEnrolment, type EnrolmentResponse} from './passkeys/read-enrolment.ts';
export {createDigest, sha256Bytes, sha256Hex} from './system/sha256.ts';
export {parseYamlDocument, type YamlDocument, type YamlSource} from './yaml/parse-yaml-document.ts';
export {readWorkspace, workspaceKeys, type ReadWorkspace, type WorkspaceRequest} from './workspace/read-workspace.ts';
export {attestingWorkers} from './verify/attesting-workers.ts';
export {readVerifierKeys} from './signed-log/note-key.ts';
export {verifyEvidence, type VerifyKeys} from './verify/verify-evidence.ts';
export {openEvidenceReader, type EvidenceReader, type RecordedEvidence} from './evidence/open-evidence-reader.ts';
export {exportBundle, type Bundle, type BundleSource} from './evidence/export-bundle.ts';
export {fileLogs} from './signed-log/file-logs.ts';
export {publishTiles, type PublishedTiles, type TilesSource} from './tiles/publish-tiles.ts';
export {lostNotesOf, restoreNotes, type LostNotes, type NotesOptions} from './salvage/restore-notes.ts';
export {damageOf, salvageState, type SalvageOptions} from './salvage/salvage-state.ts';
export {unsignedSalvages} from './salvage/unsigned-salvages.ts';
export type {Salvage, SalvageManifest, SalvageOrder} from './salvage/put-aside.ts';
export {missingCosigners} from './verify/missing-cosigners.ts';
export {probeWitness, readWitnessAnswers} from './witness/witness-states.ts';
export {requiredWitnesses, type RequiredWitnesses} from './witness/required-witnesses.ts';
export type {CosignatureId, SharedCosignatures} from './witness/shared-cosignatures.ts';
export {parseWitnessKey, witnessKeyOf, type WitnessKey, type WitnessVerifier} from './witness/witness-key.ts';
export {verifyEvidenceConsistency, verifyEvidenceProof} from './verify/verify-evidence-proof.ts';
export type {KernelRuntime} from '@lumenflow/kernel';
