// Maps file system errors to the ToolError codes that handlers see.
import {ToolError} from '@lumenflow/pack-sdk';
import {SymlinkMet} from '@lumenflow/sandbox';

const meanings: Readonly<Record<string, readonly [code: string, meaning: string]>> = {
  ENOENT: ['NOT_FOUND', 'does not exist'],
  EEXIST: ['EXISTS', 'already exists'],
  ENOTDIR: ['NOT_A_DIRECTORY', 'is not a directory, or lies below a file'],
  EISDIR: ['NOT_A_FILE', 'is a directory'],
  ENOTEMPTY: ['NOT_EMPTY', 'is a directory that is not empty'],
  EACCES: ['PERMISSION_DENIED', 'is not accessible to the user that runs the host'],
  EPERM: ['PERMISSION_DENIED', 'is not accessible to the user that runs the host'],
  EROFS: ['PERMISSION_DENIED', 'is on a read-only file system'],
  ENAMETOOLONG: ['INVALID_PATH', 'is too long'],
};

/** `path` as the handler passed it. */
export function toToolError(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof SymlinkMet) {
    return new ToolError(
      'SCOPE_DENIED',
      `\`${path}\` leads through the symlink \`${error.relative}\`: use the path that it points to`,
      {path},
    );
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const [toolCode, meaning] = meanings[code] ?? ['IO_ERROR', `cannot be accessed (${code})`];
  return new ToolError(toolCode, `\`${path}\` ${meaning}`, {path});
}

export function notAFile(path: string): ToolError {
  return new ToolError('NOT_A_FILE', `\`${path}\` is not a regular file`, {path});
}

/** Why a path is outside of a grant: the layer that excludes it, and where that layer is declared. */
export interface Refusal {
  readonly message: string;
  readonly help: string;
  readonly layer?: string;
  readonly where?: string;
}

export function notGranted(path: string, access: 'read' | 'write', refusal?: Refusal): ToolError {
  const message = refusal?.message ?? `${access === 'read' ? 'reading' : 'writing'} \`${path}\` is not granted`;
  const {layer, where, help} = refusal ?? {};
  return new ToolError('SCOPE_DENIED', message, {
    path,
    access,
    ...(layer !== undefined && {layer}),
    ...(where !== undefined && {where}),
    ...(help !== undefined && {remedy: help}),
  });
}
