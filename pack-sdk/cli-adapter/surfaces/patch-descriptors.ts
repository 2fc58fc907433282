// Commands that go past the streams: what node:fs does with the descriptors 0, 1 and 2, and with the names they have
// as files.
import fs from 'node:fs';
import type {CliRun} from '../run/cli-run.ts';
import type {InterceptedCall, Patches} from './patches.ts';

/** How a function of node:fs gives its result. */
type Style = 'sync' | 'callback' | 'promise';
/** Undefined: not one of the three, so node:fs handles the call. */
type Answer = (run: CliRun, args: readonly unknown[]) => unknown;

const names: Readonly<Record<string, number>> = {
  '/dev/stdin': 0,
  '/dev/stdout': 1,
  '/dev/stderr': 2,
  '/dev/fd/0': 0,
  '/dev/fd/1': 1,
  '/dev/fd/2': 2,
  '/proc/self/fd/0': 0,
  '/proc/self/fd/1': 1,
  '/proc/self/fd/2': 2,
};

export function patchDescriptors(patches: Patches): void {
  const table: readonly (readonly [string, Answer])[] = [
    ['write', write],
    ['writev', writeAll],
    ['writeFile', writeFile],
    ['appendFile', writeFile],
    ['read', read],
    ['readFile', readFile],
    ['open', (_run, [path]) => standardOf(path)],
    ['close', (_run, [fd]) => (standardOf(fd) === undefined ? undefined : null)],
  ];
  for (const [key, answer] of table) {
    patches.intercept(fs, `${key}Sync`, (call) => respond(call, answer, 'sync'));
    patches.intercept(fs, key, (call) => respond(call, answer, 'callback'));
  }
  for (const [key, answer] of [
    ['writeFile', writeFile],
    ['appendFile', writeFile],
    ['readFile', readFile],
  ] as const) {
    patches.intercept(fs.promises, key, (call) => respond(call, answer, 'promise'));
  }
}

function respond({run, args, proceed}: InterceptedCall, answer: Answer, style: Style): unknown {
  const result = answer(run, args);
  if (result === undefined) return proceed();
  if (style === 'sync') return result;
  if (style === 'promise') return Promise.resolve(result);
  const done = args.findLast((argument) => typeof argument === 'function');
  if (done !== undefined) process.nextTick(done, null, result, args[1]);
  return undefined;
}

function standardOf(file: unknown): number | undefined {
  if (typeof file === 'number') return file >= 0 && file <= 2 ? file : undefined;
  return typeof file === 'string' || file instanceof URL
    ? names[file instanceof URL ? file.pathname : file]
    : undefined;
}

function outputOf(run: CliRun, file: unknown): ((bytes: Uint8Array) => void) | undefined {
  const fd = standardOf(file);
  return fd === 1 || fd === 2 ? run.output[fd].print : undefined;
}

function write(run: CliRun, [fd, data, ...rest]: readonly unknown[]): number | undefined {
  const print = outputOf(run, fd);
  if (print === undefined) return undefined;
  const bytes = typeof data === 'string' ? Buffer.from(data, encodingOf(rest[1])) : partOf(data, rest);
  print(bytes);
  return bytes.length;
}

function writeAll(run: CliRun, [fd, buffers]: readonly unknown[]): number | undefined {
  const print = outputOf(run, fd);
  if (print === undefined) return undefined;
  const bytes = Buffer.concat(buffers as Uint8Array[]);
  print(bytes);
  return bytes.length;
}

function writeFile(run: CliRun, [file, data, options]: readonly unknown[]): null | undefined {
  const print = outputOf(run, file);
  if (print === undefined) return undefined;
  print(typeof data === 'string' ? Buffer.from(data, encodingOf(options)) : partOf(data, []));
  return null;
}

function read(run: CliRun, [fd, target, ...rest]: readonly unknown[]): number | undefined {
  if (standardOf(fd) !== 0) return undefined;
  const room = partOf(target, rest);
  return run.stdin.take(room.length).copy(room);
}

function readFile(run: CliRun, [file, options]: readonly unknown[]): Buffer | string | undefined {
  if (standardOf(file) !== 0) return undefined;
  const encoding = encodingOf(options);
  return encoding === undefined ? run.stdin.take() : run.stdin.take().toString(encoding);
}

function encodingOf(options: unknown): BufferEncoding | undefined {
  const encoding = typeof options === 'object' && options !== null ? Reflect.get(options, 'encoding') : options;
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : undefined;
}

/** The bytes that a buffer and its offset and length name, also where these come as an object. */
function partOf(data: unknown, [first, second]: readonly unknown[]): Buffer {
  if (!ArrayBuffer.isView(data)) throw new TypeError('the data is neither a string nor a buffer');
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const given =
    typeof first === 'object' && first !== null ? (first as {offset?: unknown; length?: unknown}) : undefined;
  const [offset, length] = given === undefined ? [first, second] : [given.offset, given.length];
  const start = typeof offset === 'number' ? offset : 0;
  return bytes.subarray(start, typeof length === 'number' ? start + length : bytes.length);
}
