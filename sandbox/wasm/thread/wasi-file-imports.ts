// The functions of WASI preview 1 for streams and files. The workspace is open as `/`; standard output and error are logs; standard
// input is empty. What the host's file access does not offer, such as links and renaming, is not supported.
import {isUtf8} from 'node:buffer';
import type {GuestCall} from './guest-call.ts';
import {toUnsigned, type FromGuest} from './guest-memory.ts';
import type {HostFunctions} from './lumenflow-imports.ts';
import {rootDescriptor, type OpenFile, type OpenFiles, type Stat} from './open-files.ts';
import {errno, WasiError} from './wasi-error.ts';

const fileTypes: Readonly<Record<Stat['kind'] | 'stream', number>> = {
  other: 0,
  stream: 2,
  directory: 3,
  file: 4,
  symlink: 7,
};
const openFlags = {create: 1, directory: 2, exclusive: 4, truncate: 8} as const;
const appendFlag = 1;
const rights = {read: 2n, write: 64n} as const;
const allRights = 0x1fff_ffffn;
const direntBytes = 24;
/** Buffers of one call. */
const vectorsMax = 1024;
const preopenName = Buffer.from('/');
const [stdin, stdout, stderr] = [0, 1, 2];

export function wasiFileImports(call: GuestCall, files: OpenFiles): HostFunctions {
  const unsupported = (): number => errno.notsup;
  return {
    ...eachReturning({
      ...streamFunctions(call, files),
      ...positionFunctions(call, files),
      ...descriptorFunctions(call, files),
      ...pathFunctions(call, files),
    }),
    fd_advise: () => 0,
    fd_allocate: unsupported,
    fd_fdstat_set_rights: unsupported,
    fd_filestat_set_times: unsupported,
    fd_renumber: unsupported,
    path_create_directory: unsupported,
    path_filestat_set_times: unsupported,
    path_link: unsupported,
    path_readlink: unsupported,
    path_rename: unsupported,
    path_symlink: unsupported,
  };
}

type WasiFunctions = Readonly<Record<string, (...given: readonly FromGuest[]) => void>>;

/** They return 0, or the number of the error. */
function eachReturning(functions: WasiFunctions): HostFunctions {
  return Object.fromEntries(
    Object.entries(functions).map(([name, run]) => [
      name,
      (...given: readonly FromGuest[]) => {
        try {
          run(...given);
          return 0;
        } catch (error) {
          if (error instanceof WasiError) return error.errno;
          throw error;
        }
      },
    ]),
  );
}

function streamFunctions(call: GuestCall, files: OpenFiles): WasiFunctions {
  const vectors = (pointer: FromGuest, count: FromGuest): readonly Uint8Array[] => {
    const length = toUnsigned(count);
    if (length > vectorsMax) throw new WasiError('inval');
    const table = call.memory.view(pointer, length * 8);
    return Array.from({length}, (_, index) =>
      call.memory.bytes(table.getUint32(index * 8, true), table.getUint32(index * 8 + 4, true)),
    );
  };
  const read = (file: OpenFile, into: readonly Uint8Array[], from: number): number => {
    if (!file.isReadable) throw new WasiError('badf');
    let at = Math.min(from, file.size);
    for (const part of into) {
      const content = file.buffer.subarray(at, Math.min(file.size, at + part.length));
      part.set(content);
      at += content.length;
    }
    return Math.max(0, at - from);
  };
  const write = (file: OpenFile, parts: readonly Uint8Array[], from: number): number => {
    const content = Buffer.concat(parts);
    files.write(file, content, from);
    return content.length;
  };
  return {
    fd_read(descriptor, pointer, count, result) {
      const fd = toUnsigned(descriptor);
      const file = fd === stdin ? undefined : files.file(fd);
      const bytes = file === undefined ? 0 : read(file, vectors(pointer, count), file.offset);
      if (file !== undefined) file.offset += bytes;
      call.memory.writeUint32(result, bytes);
    },
    fd_pread(...[descriptor, pointer, count, offset, result]) {
      const file = files.file(toUnsigned(descriptor));
      call.memory.writeUint32(result, read(file, vectors(pointer, count), toOffset(offset)));
    },
    fd_write(descriptor, pointer, count, result) {
      const fd = toUnsigned(descriptor);
      const parts = vectors(pointer, count);
      if (fd === stdout || fd === stderr) {
        for (const part of parts) call.print(fd === stdout ? 'stdout' : 'stderr', part);
        return call.memory.writeUint32(
          result,
          parts.reduce((sum, part) => sum + part.length, 0),
        );
      }
      const file = files.file(fd);
      if (file.appends) file.offset = file.size;
      const bytes = write(file, parts, file.offset);
      file.offset += bytes;
      call.memory.writeUint32(result, bytes);
    },
    fd_pwrite(...[descriptor, pointer, count, offset, result]) {
      const file = files.file(toUnsigned(descriptor));
      call.memory.writeUint32(result, write(file, vectors(pointer, count), toOffset(offset)));
    },
  };
}

function positionFunctions(call: GuestCall, files: OpenFiles): WasiFunctions {
  const seek = (descriptor: FromGuest, result: FromGuest, target: (file: OpenFile) => number): void => {
    const fd = toUnsigned(descriptor);
    if (fd < rootDescriptor) throw new WasiError('spipe');
    const file = files.file(fd);
    const offset = target(file);
    if (!Number.isSafeInteger(offset) || offset < 0) throw new WasiError('inval');
    file.offset = offset;
    call.memory.writeUint64(result, BigInt(offset));
  };
  return {
    fd_close: (descriptor) => files.close(toUnsigned(descriptor)),
    fd_datasync: (descriptor) => files.sync(files.file(toUnsigned(descriptor))),
    fd_sync: (descriptor) => files.sync(files.file(toUnsigned(descriptor))),
    fd_seek: (descriptor, offset, whence, result) =>
      seek(
        descriptor,
        result,
        (file) => Number(offset) + ([0, file.offset, file.size][toUnsigned(whence)] ?? Number.NaN),
      ),
    fd_tell: (descriptor, result) => seek(descriptor, result, ({offset}) => offset),
  };
}

function descriptorFunctions(call: GuestCall, files: OpenFiles): WasiFunctions {
  return {
    fd_fdstat_get(descriptor, pointer) {
      const fd = toUnsigned(descriptor);
      const entry = fd < rootDescriptor ? undefined : files.entry(fd);
      const view = call.memory.view(pointer, 24);
      view.setBigUint64(0, 0n, true);
      view.setUint8(0, fileTypes[entry?.kind ?? 'stream']);
      view.setUint16(2, entry?.kind === 'file' && entry.appends ? appendFlag : 0, true);
      // Without the rights to seek, libraries take a stream for a terminal.
      view.setBigUint64(8, entry === undefined ? rights.read | rights.write : allRights, true);
      view.setBigUint64(16, allRights, true);
    },
    fd_fdstat_set_flags(descriptor, flags) {
      const fd = toUnsigned(descriptor);
      if (fd >= rootDescriptor) files.file(fd).appends = (toUnsigned(flags) & appendFlag) !== 0;
    },
    fd_filestat_get(descriptor, pointer) {
      const fd = toUnsigned(descriptor);
      const entry = fd < rootDescriptor ? undefined : files.entry(fd);
      if (entry === undefined) return writeStat(call, pointer, {kind: 'stream', size: 0, mtime_ms: 0});
      if (entry.kind === 'directory') return writeStat(call, pointer, files.stat(entry.path));
      writeStat(call, pointer, {kind: 'file', size: entry.size, mtime_ms: 0});
    },
    fd_filestat_set_size(descriptor, size) {
      const file = files.file(toUnsigned(descriptor));
      if (!file.isWritable) throw new WasiError('badf');
      files.resize(file, toOffset(size));
    },
    fd_prestat_get(descriptor, pointer) {
      if (toUnsigned(descriptor) !== rootDescriptor) throw new WasiError('badf');
      call.memory.writeUint32(pointer, 0);
      call.memory.writeUint32(toUnsigned(pointer) + 4, preopenName.length);
    },
    fd_prestat_dir_name(descriptor, pointer) {
      if (toUnsigned(descriptor) !== rootDescriptor) throw new WasiError('badf');
      call.memory.write(pointer, preopenName);
    },
    fd_readdir(...[descriptor, pointer, length, cookie, result]) {
      const entry = files.entry(toUnsigned(descriptor));
      if (entry.kind !== 'directory') throw new WasiError('notdir');
      const first = toOffset(cookie);
      const listed = files.list(entry.path).slice(first);
      const content = Buffer.concat(listed.map((one, index) => dirent(one, BigInt(index + first + 1))));
      const part = content.subarray(0, toUnsigned(length));
      call.memory.write(pointer, part);
      call.memory.writeUint32(result, part.length);
    },
  };
}

function pathFunctions(call: GuestCall, files: OpenFiles): WasiFunctions {
  const pathAt = (directory: FromGuest, pointer: FromGuest, length: FromGuest): string => {
    if (!isUtf8(call.memory.bytes(pointer, length))) throw new WasiError('ilseq');
    return files.path(toUnsigned(directory), call.memory.text(pointer, length));
  };
  return {
    path_open(...[directory, , pointer, length, flags, base, , descriptorFlags, result]) {
      const [open, asked] = [toUnsigned(flags), toRights(base)];
      const isWritable = (asked & rights.write) !== 0n;
      const descriptor = files.open({
        path: pathAt(directory, pointer, length),
        create: (open & openFlags.create) !== 0,
        exclusive: (open & openFlags.exclusive) !== 0,
        truncate: (open & openFlags.truncate) !== 0,
        isDirectory: (open & openFlags.directory) !== 0,
        isReadable: (asked & rights.read) !== 0n || !isWritable,
        isWritable,
        appends: (toUnsigned(descriptorFlags) & appendFlag) !== 0,
      });
      call.memory.writeUint32(result, descriptor);
    },
    path_filestat_get: (...[directory, , pointer, length, result]) =>
      writeStat(call, result, files.stat(pathAt(directory, pointer, length))),
    path_unlink_file: (directory, pointer, length) => files.remove(pathAt(directory, pointer, length), 'file'),
    path_remove_directory: (directory, pointer, length) =>
      files.remove(pathAt(directory, pointer, length), 'directory'),
  };
}

function writeStat(
  {memory}: GuestCall,
  pointer: FromGuest,
  {kind, size, mtime_ms}: {readonly kind: Stat['kind'] | 'stream'; readonly size: number; readonly mtime_ms: number},
): void {
  const view = memory.view(pointer, 64);
  for (let at = 0; at < 64; at += 8) view.setBigUint64(at, 0n, true);
  view.setUint8(16, fileTypes[kind]);
  view.setBigUint64(24, 1n, true);
  view.setBigUint64(32, BigInt(size), true);
  const time = BigInt(Math.round(mtime_ms)) * 1_000_000n;
  for (const at of [40, 48, 56]) view.setBigUint64(at, time, true);
}

function dirent({name, kind}: {readonly name: string; readonly kind: Stat['kind']}, next: bigint): Uint8Array {
  const bytes = Buffer.from(name);
  const head = Buffer.alloc(direntBytes);
  head.writeBigUInt64LE(next);
  head.writeUInt32LE(bytes.length, 16);
  head.writeUInt8(fileTypes[kind], 20);
  return Buffer.concat([head, bytes]);
}

/** Of a 64-bit integer; what is not one is not a valid offset. */
function toOffset(value: FromGuest): number {
  const offset = typeof value === 'bigint' ? Number(BigInt.asUintN(64, value)) : Number.NaN;
  if (!Number.isSafeInteger(offset)) throw new WasiError('inval');
  return offset;
}

function toRights(value: FromGuest): bigint {
  if (typeof value !== 'bigint') throw new WasiError('inval');
  return value;
}
