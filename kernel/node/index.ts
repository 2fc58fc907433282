// The kernel on files: starting it on a workspace folder, and what a pack source needs of it.
export {initializeKernelRuntime, packRequestOf, type InitializeOptions} from './initialize-kernel-runtime.ts';
export {compileRegex} from './compile-regex.ts';
export {createSchemaCompiler, type SchemaCompiler} from './schema/schema-compiler.ts';
export {openFileState, type FileState, type FileStateOptions} from './state/open-file-state.ts';
export {WorkspaceLock, type WorkspaceLockOptions} from './lock/workspace-lock.ts';
export {createProcessRegistry} from './lock/process-registry.ts';
export {noteKeyOf, parseVerifierKey, type NoteKey} from './checkpoints/note-key.ts';
export {createRandomIds} from './system/random-ids.ts';
export {createWorkspacePaths} from './system/workspace-paths.ts';
export {createSystemClock} from './system/system-clock.ts';
export {createDigest, sha256Bytes, sha256Hex} from './system/sha256.ts';
export {parseYamlDocument, type YamlDocument, type YamlSource} from './yaml/parse-yaml-document.ts';
export {readWorkspace, workspaceKeys, type ReadWorkspace, type WorkspaceRequest} from './workspace/read-workspace.ts';
export {verifyEvidence} from './verify/verify-evidence.ts';
export {verifyEvidenceConsistency, verifyEvidenceProof} from './verify/verify-evidence-proof.ts';
export type {KernelRuntime} from '@lumenflow/kernel';
