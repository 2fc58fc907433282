// The files that a module has open. The host reads and writes them, by exactly the granted patterns, as for every handler. A file is
// read when it is opened, and written when it is closed or synchronised.
import type {RequestMethod} from '@lumenflow/schemas';
import type {GuestCall} from './guest-call.ts';
import {GuestFault} from './guest-end.ts';
import {errno, WasiError, wasiErrorOf} from './wasi-error.ts';

export interface OpenFile {
  readonly kind: 'file';
  readonly path: string;
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  appends: boolean;
  offset: number;
  /** `size` bytes of it are the content. */
  buffer: Uint8Array;
  size: number;
  /** Whether the host has an older content. */
  isDirty: boolean;
}

export interface OpenDirectory {
  readonly kind: 'directory';
  readonly path: string;
}

export interface OpenRequest {
  readonly path: string;
  readonly create: boolean;
  readonly exclusive: boolean;
  readonly truncate: boolean;
  readonly isDirectory: boolean;
  readonly isReadable: boolean;
  readonly isWritable: boolean;
  readonly appends: boolean;
}

export interface Stat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other';
  readonly size: number;
  readonly mtime_ms: number;
}

/** The descriptor of the workspace's root; those below are the standard streams. */
export const rootDescriptor = 3;
const nothing = new Uint8Array();

export class OpenFiles {
  readonly #call: GuestCall;
  readonly #open = new Map<number, OpenFile | OpenDirectory>([[rootDescriptor, {kind: 'directory', path: '.'}]]);
  #buffered = 0;

  constructor(call: GuestCall) {
    this.#call = call;
  }

  entry(descriptor: number): OpenFile | OpenDirectory {
    const entry = this.#open.get(descriptor);
    if (entry === undefined) throw new WasiError('badf');
    return entry;
  }

  file(descriptor: number): OpenFile {
    const entry = this.entry(descriptor);
    if (entry.kind === 'directory') throw new WasiError('isdir');
    return entry;
  }

  /** The path that a module means by one below an open directory. The host makes it canonical, and checks it. */
  path(descriptor: number, relative: string): string {
    const entry = this.entry(descriptor);
    if (entry.kind !== 'directory') throw new WasiError('notdir');
    const below = relative.replace(/^\/+/u, '');
    if (below === '' || below === '.') return entry.path;
    return entry.path === '.' ? below : `${entry.path}/${below}`;
  }

  stat(path: string): Stat {
    const {stat} = this.#request('fs_stat', {path}) as {stat?: Stat};
    if (stat === undefined) throw new WasiError('noent');
    return stat;
  }

  list(path: string): readonly {readonly name: string; readonly kind: Stat['kind']}[] {
    return (this.#request('fs_list', {path}) as {entries: {name: string; kind: Stat['kind']}[]}).entries;
  }

  remove(path: string, kind: 'file' | 'directory'): void {
    const isDirectory = this.stat(path).kind === 'directory';
    if (isDirectory !== (kind === 'directory')) throw new WasiError(isDirectory ? 'isdir' : 'notdir');
    this.#request('fs_remove', {path});
  }

  open(request: OpenRequest): number {
    if (this.#open.size + rootDescriptor >= this.#call.limits.openFiles) throw new WasiError('mfile');
    const entry = this.#entryOf(request);
    let descriptor = rootDescriptor + 1;
    while (this.#open.has(descriptor)) descriptor += 1;
    this.#open.set(descriptor, entry);
    return descriptor;
  }

  close(descriptor: number): void {
    const entry = this.entry(descriptor);
    this.#open.delete(descriptor);
    if (entry.kind === 'directory') return;
    this.#buffered -= entry.buffer.length;
    this.sync(entry);
  }

  write(file: OpenFile, content: Uint8Array, offset: number): void {
    if (!file.isWritable) throw new WasiError('badf');
    this.resize(file, Math.max(file.size, offset + content.length));
    file.buffer.set(content, offset);
  }

  /** The first change is written at once, so that the module learns early that it may not. */
  resize(file: OpenFile, size: number): void {
    if (size > this.#call.limits.fileSizeBytes) throw new WasiError('fbig');
    if (size > file.buffer.length) this.#grow(file, size);
    if (size < file.size) file.buffer.fill(0, size, file.size);
    file.size = size;
    if (!file.isDirty) this.#save(file);
    file.isDirty = true;
  }

  sync(file: OpenFile): void {
    if (!file.isDirty) return;
    this.#save(file);
    file.isDirty = false;
  }

  /** What the module has not closed. Throws GuestFault if a file cannot be written. */
  flush(): void {
    for (const entry of this.#open.values()) {
      try {
        if (entry.kind === 'file') this.sync(entry);
      } catch (error) {
        if (!(error instanceof WasiError)) throw error;
        throw new GuestFault(`the file \`${(entry as OpenFile).path}\`, which it left open, cannot be written`);
      }
    }
  }

  #entryOf(request: OpenRequest): OpenFile | OpenDirectory {
    const {path, isWritable, create, isDirectory} = request;
    // Tried first: a call that may not write is told so, and what will be replaced need not be readable.
    if (isWritable && create && !isDirectory && this.#creates(request)) return this.#fileOf(request, nothing);
    const known = this.#statOf(path);
    if (known?.kind === 'directory') {
      if (isWritable) throw new WasiError('isdir');
      return {kind: 'directory', path};
    }
    if (isDirectory) throw new WasiError(known === undefined ? 'noent' : 'notdir');
    return this.#fileOf(request, this.#contentOf(request, known !== undefined));
  }

  #contentOf({path, create, exclusive, truncate}: OpenRequest, exists: boolean): Uint8Array {
    if (!exists && !create) throw new WasiError('noent');
    if (exists && create && exclusive) throw new WasiError('exist');
    if (exists && !truncate) return this.#read(path);
    this.#save({path, buffer: nothing, size: 0}, exclusive);
    return nothing;
  }

  /** Returns false if the file exists and keeps its content. */
  #creates({path, truncate, exclusive}: OpenRequest): boolean {
    try {
      this.#save({path, buffer: nothing, size: 0}, exclusive || !truncate);
      return true;
    } catch (error) {
      const exists = error instanceof WasiError && error.errno === errno.exist;
      if (exclusive || !exists) throw error;
      return false;
    }
  }

  #fileOf({path, isReadable, isWritable, appends}: OpenRequest, buffer: Uint8Array): OpenFile {
    const size = buffer.length;
    this.#account(size);
    return {kind: 'file', path, isReadable, isWritable, appends, offset: 0, buffer, size, isDirty: false};
  }

  #statOf(path: string): Stat | undefined {
    return (this.#request('fs_stat', {path}) as {stat?: Stat}).stat;
  }

  #read(path: string): Uint8Array {
    const {content_base64} = this.#request('fs_read', {path}) as {content_base64: string};
    return Buffer.from(content_base64, 'base64');
  }

  #save({path, buffer, size}: Pick<OpenFile, 'path' | 'buffer' | 'size'>, exclusive = false): void {
    const content_base64 = Buffer.from(buffer.buffer, buffer.byteOffset, size).toString('base64');
    this.#request('fs_write', {path, content_base64, exclusive});
  }

  #grow(file: OpenFile, size: number): void {
    const buffer = new Uint8Array(Math.max(size, Math.min(file.buffer.length * 2, this.#call.limits.fileSizeBytes)));
    this.#account(buffer.length - file.buffer.length);
    buffer.set(file.buffer.subarray(0, file.size));
    file.buffer = buffer;
  }

  /** Buffers are memory of the host that no limit of the thread counts. */
  #account(bytes: number): void {
    if (this.#buffered + bytes > this.#call.limits.memoryBytes) throw new WasiError('fbig');
    this.#buffered += bytes;
  }

  #request(method: RequestMethod, params: Record<string, unknown>): unknown {
    const {value, error} = this.#call.request(method, params);
    if (error !== undefined) throw wasiErrorOf(error);
    return value;
  }
}
