// The file that a tool is about to change or read, checked against the caller's expectation.
import {ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {sha256Hex} from './sha256-hex.ts';

/** Larger files are rejected, because they would pass through the broker as a whole. */
export const fileBytesMax: number = 16 * 1024 * 1024;

export interface CurrentFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Undefined if there is nothing at `path`. Throws ToolError NOT_A_FILE and TOO_LARGE. */
export async function findFile(fs: ScopedFileSystem, path: string): Promise<CurrentFile | undefined> {
  const stat = await fs.stat(path);
  if (stat === undefined) return undefined;
  if (stat.kind !== 'file') {
    throw new ToolError('NOT_A_FILE', `\`${path}\` is a ${stat.kind}, not a file`, {path, kind: stat.kind});
  }
  if (stat.size > fileBytesMax) {
    throw new ToolError('TOO_LARGE', `\`${path}\` has ${stat.size} bytes; at most ${fileBytesMax} can be handled`, {
      path,
      size: stat.size,
      size_max: fileBytesMax,
    });
  }
  const bytes = await fs.read(path);
  return {bytes, sha256: await sha256Hex(bytes)};
}

/** Like `findFile`, but throws ToolError NOT_FOUND if there is nothing. */
export async function readFile(fs: ScopedFileSystem, path: string): Promise<CurrentFile> {
  const file = await findFile(fs, path);
  if (file === undefined) throw new ToolError('NOT_FOUND', `\`${path}\` does not exist`, {path});
  return file;
}

/** Throws ToolError CONTENT_CHANGED if the file is not the one that the caller saw. */
export function expectContent(path: string, actual: string | undefined, expected: string | undefined): void {
  if (expected === undefined || actual === expected) return;
  const found = actual === undefined ? 'the file does not exist' : `its sha256 is \`${actual}\``;
  throw new ToolError('CONTENT_CHANGED', `\`${path}\` is not what was expected: ${found}; read it again`, {
    path,
    expected_sha256: expected,
    actual_sha256: actual ?? null,
  });
}
