export {createScopedFileSystem, type FileAccess, type HostFileSystem} from './create-scoped-file-system.ts';
export type {Refusal} from './fs-error.ts';
