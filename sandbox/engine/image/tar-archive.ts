// A tar archive as a stream, with the same bytes for the same entries: owned by root, without times.
import {createReadStream} from 'node:fs';

export type TarEntry = {
  /** Absolute or relative; without symlinks. */
  readonly path: string;
} & (
  | {readonly kind: 'directory'}
  | {readonly kind: 'symlink'; readonly target: string}
  | {
      readonly kind: 'file';
      readonly isExecutable: boolean;
      readonly size: number;
      /** The time distinguishes contents of one path; it is not archived. */
      readonly content: {readonly path: string; readonly mtimeMs: number} | {readonly text: string};
    }
);

const blockBytes = 512;
const nameBytes = 100;

export async function* tarArchive(entries: Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    const name = `${entry.path.replace(/^\//, '')}${entry.kind === 'directory' ? '/' : ''}`;
    yield* longName('L', name);
    if (entry.kind === 'symlink') yield* longName('K', entry.target);
    yield header(name, entry);
    if (entry.kind === 'file') yield* contentOf(entry);
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** GNU's form: a separate entry before the one that it names. */
function* longName(type: 'L' | 'K', name: string): Generator<Uint8Array> {
  const bytes = Buffer.from(`${name}\0`);
  if (bytes.length <= nameBytes) return;
  yield block({name: '././@LongLink', mode: 0, size: bytes.length, type, target: ''});
  yield padded(bytes);
}

function header(name: string, entry: TarEntry): Uint8Array {
  if (entry.kind === 'directory') return block({name, mode: 0o755, size: 0, type: '5', target: ''});
  if (entry.kind === 'symlink') return block({name, mode: 0o777, size: 0, type: '2', target: entry.target});
  return block({name, mode: entry.isExecutable ? 0o755 : 0o644, size: entry.size, type: '0', target: ''});
}

interface Header {
  readonly name: string;
  readonly mode: number;
  readonly size: number;
  readonly type: string;
  readonly target: string;
}

function block({name, mode, size, type, target}: Header): Uint8Array {
  const bytes = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void =>
    void bytes.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  Buffer.from(name).copy(bytes, 0, 0, nameBytes);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  bytes.write('        ', 148, 'latin1');
  bytes.write(type, 156, 'latin1');
  Buffer.from(target).copy(bytes, 157, 0, nameBytes);
  bytes.write('ustar  \0', 257, 'latin1');
  octal(
    bytes.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  bytes[154] = 0;
  bytes[155] = 0x20;
  return bytes;
}

async function* contentOf({size, content}: Extract<TarEntry, {kind: 'file'}>): AsyncGenerator<Uint8Array> {
  if ('text' in content) {
    yield padded(Buffer.from(content.text));
    return;
  }
  let length = 0;
  for await (const chunk of createReadStream(content.path) as AsyncIterable<Buffer>) {
    length += chunk.length;
    yield chunk;
  }
  if (length !== size) throw new Error(`\`${content.path}\` changed while it was read`);
  yield Buffer.alloc(-length & (blockBytes - 1));
}

function padded(bytes: Buffer): Uint8Array {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))]);
}
