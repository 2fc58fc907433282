// An archive of files in the form that the kernel unpacks as its first root: cpio, `newc`.
export interface ArchivedFile {
  /** Relative to the root. Its directories are separate entries, before it. */
  readonly path: string;
  /** Undefined for a directory. */
  readonly content?: Uint8Array;
}

const directoryMode = 0o040755;
const fileMode = 0o100755;

export function cpioArchive(files: readonly ArchivedFile[]): Uint8Array {
  const entries = [...files, {path: 'TRAILER!!!', content: new Uint8Array()}];
  return Buffer.concat(entries.flatMap((file, index) => record(file, index + 1)));
}

function record({path, content}: ArchivedFile, inode: number): readonly Uint8Array[] {
  const name = Buffer.from(`${path}\0`);
  const mode = content === undefined ? directoryMode : fileMode;
  const size = content?.length ?? 0;
  // Owner, links, time; then devices.
  const fields = [inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, name.length, 0];
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`);
  return [...aligned(Buffer.concat([header, name])), ...aligned(content ?? new Uint8Array())];
}

function aligned(bytes: Uint8Array): readonly Uint8Array[] {
  return [bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)];
}
