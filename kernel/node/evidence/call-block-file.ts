// Blocks of calls as files: a header, the columns in sequence, and a hash over everything. Every process writes the same bytes for a
// block, so any of them may write it at any time. A damaged, stale or missing block is not used, and is written again.
import {KernelError} from '@lumenflow/kernel';
import {closeSync, fstatSync, mkdirSync, readdirSync, readSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {endianness} from 'node:os';
import {join} from 'node:path';
import type {LogPosition} from '../log/log-position.ts';
import {readArchived} from '../archive/archived-file.ts';
import {openStored} from '../archive/open-stored.ts';
import {segmentName} from '../log/segment-files.ts';
import {sha256Bytes, sha256Hex} from '../system/sha256.ts';
import {
  columnNames,
  columns,
  type CallBlock,
  type Column,
  type ColumnName,
  type OpenCallBlock,
  type ReadCell,
} from './call-block.ts';
import {KeyRows} from './key-rows.ts';
import {openIfPresent} from '../system/open-if-present.ts';

const headerBytes = 1_024;
const hashBytes = 32;
const version = `calls-2-${endianness()}`;

/** Where a block ends: the position after its last line, and where that line begins. */
export interface BlockEnd {
  readonly position: LogPosition;
  readonly lastOffset: number;
}

interface Header {
  readonly version: string;
  readonly start: LogPosition;
  readonly end: BlockEnd;
  readonly rows: {readonly calls: number; readonly progress: number; readonly late: number};
}

/** A block in use was deleted or cut by another program: the index must be loaded again. */
function lost(path: string): KernelError {
  return new KernelError('LOG_UNAVAILABLE', `the index file \`${path}\` is gone or cut`);
}

export class CallBlockFile implements CallBlock {
  readonly start: LogPosition;
  readonly end: BlockEnd;
  readonly #path: string;
  readonly #rows: Header['rows'];
  readonly #calls: KeyRows;
  readonly #lateKeys: ReadonlySet<number>;

  /** It keeps only the bytes that locate a call; the rest is read on demand. */
  constructor(path: string, {start, end, rows}: Omit<Header, 'version'>, bytes: Buffer) {
    this.start = start;
    this.end = end;
    this.#path = path;
    this.#rows = rows;
    const keys = (name: ColumnName): Column => {
      const from = offsetOf(name, rows);
      return numbersOf(name, Uint8Array.from(bytes.subarray(from, from + sizeOf(name, rows))));
    };
    this.#calls = new KeyRows(keys('key'));
    this.#lateKeys = new Set(keys('lateKey'));
  }

  get firstSeq(): number {
    return this.start.seq + 1;
  }

  /** Throws KernelError LOG_UNAVAILABLE, as all that reads the file, when it is not there any more, or not whole. */
  column(name: ColumnName): Column {
    const content = new Uint8Array(sizeOf(name, this.#rows));
    if (content.length > 0) this.#withFile((read) => read(content, offsetOf(name, this.#rows)));
    return numbersOf(name, content);
  }

  rowOf(key: number): number {
    return this.#calls.find(key, (row) => this.withCells((cell) => cell('key', row)) === key);
  }

  hasLate(key: number): boolean {
    return this.#lateKeys.has(key);
  }

  withCells<T>(work: (cell: ReadCell) => T): T {
    return this.#withFile((read) =>
      work((name, row) => {
        const {bytes} = columns[name];
        const content = new Uint8Array(bytes);
        read(content, offsetOf(name, this.#rows) + row * bytes);
        return numbersOf(name, content)[0] ?? 0;
      }),
    );
  }

  #withFile<T>(work: (read: (into: Uint8Array, offset: number) => void) => T): T {
    const fd = openIfPresent(this.#path);
    if (fd === undefined) throw lost(this.#path);
    try {
      return work((into, offset) => {
        if (readSync(fd, into, 0, into.length, offset) < into.length) throw lost(this.#path);
      });
    } finally {
      closeSync(fd);
    }
  }
}

/** Keeps a block that is full, under its final name only once it is whole. */
export function keepBlock(folder: string, block: OpenCallBlock, end: BlockEnd, owner: string): CallBlockFile {
  const rows = {
    calls: block.column('key').length,
    progress: block.column('progressCall').length,
    late: block.column('lateKey').length,
  };
  const header: Header = {version, start: block.start, end, rows};
  const parts = columnNames.map((name) => {
    const numbers = block.column(name);
    const {buffer} = columns[name].bytes === 8 ? Float64Array.from(numbers) : Uint32Array.from(numbers);
    return new Uint8Array(buffer);
  });
  const bytes = Buffer.concat([Buffer.from(JSON.stringify(header).padEnd(headerBytes)), ...parts]);
  const path = join(folder, blockName(block.firstSeq));
  mkdirSync(folder, {recursive: true, mode: 0o700});
  const temporary = `${path}.${owner}`;
  try {
    writeFileSync(temporary, Buffer.concat([bytes, sha256Bytes(bytes)]), {mode: 0o600});
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, {force: true});
    throw error;
  }
  return new CallBlockFile(path, header, bytes);
}

/** The blocks that are whole, follow each other from the first line on, and are of this log. Throws NeedsArchive. */
export function loadBlocks(folder: string, logFolder: string): readonly CallBlockFile[] {
  const blocks: CallBlockFile[] = [];
  for (const name of blockNames(folder)) {
    const block = openBlock(join(folder, name));
    const last = blocks.at(-1)?.end.position;
    if (block === undefined || block.start.seq !== (last?.seq ?? 0)) break;
    if (last !== undefined && block.start.head !== last.head) break;
    blocks.push(block);
  }
  // A line's hash covers all lines before it, so the newest block that matches the log confirms the others.
  const newest = blocks.findLastIndex(({end}) => endsInLog(end, logFolder));
  return blocks.slice(0, newest + 1);
}

function blockName(firstSeq: number): string {
  return `${String(firstSeq).padStart(16, '0')}.calls`;
}

function blockNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[0-9]{16}\.calls$/u.test(name))
      .toSorted((a, b) => a.localeCompare(b));
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

/** Undefined for what is not a whole block. */
function openBlock(path: string): CallBlockFile | undefined {
  const fd = openIfPresent(path);
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.allocUnsafe(fstatSync(fd).size);
    if (readSync(fd, bytes, 0, bytes.length, 0) < headerBytes + hashBytes) return undefined;
    const body = bytes.subarray(0, -hashBytes);
    if (!bytes.subarray(-hashBytes).equals(sha256Bytes(body))) return undefined;
    // What has the right hash was written by keepBlock, of this version or another.
    const header = JSON.parse(body.toString('utf8', 0, headerBytes)) as Header;
    return header.version === version ? new CallBlockFile(path, header, body) : undefined;
  } finally {
    closeSync(fd);
  }
}

function endsInLog({position, lastOffset}: BlockEnd, logFolder: string): boolean {
  const archived = readArchived(logFolder, segmentName(position.segment));
  if (archived?.last_seq === position.seq) return archived.head === position.head;
  const fd = openStored(logFolder, segmentName(position.segment));
  if (fd === undefined) return false;
  try {
    const line = Buffer.alloc(position.offset - lastOffset - 1);
    readSync(fd, line, 0, line.length, lastOffset);
    return sha256Hex(line) === position.head;
  } finally {
    closeSync(fd);
  }
}

function offsetOf(wanted: ColumnName, rows: Header['rows']): number {
  let offset = headerBytes;
  for (const name of columnNames) {
    if (name === wanted) break;
    offset += sizeOf(name, rows);
  }
  return offset;
}

function sizeOf(name: ColumnName, rows: Header['rows']): number {
  return rows[columns[name].table] * columns[name].bytes;
}

function numbersOf(name: ColumnName, {buffer}: Uint8Array): Float64Array | Uint32Array {
  return columns[name].bytes === 8 ? new Float64Array(buffer) : new Uint32Array(buffer);
}
