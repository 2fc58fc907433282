export {createScopedFileSystem, type FileAccess, type HostFileSystem} from './create-scoped-file-system.ts';
export {notGranted, type Refusal} from './fs-error.ts';
