// The functions of WASI preview 1 that are not about files: what the libraries of C, Rust and Go need to start. There are no
// arguments, no environment and no sockets.
import {randomFillSync} from 'node:crypto';
import type {GuestCall} from './guest-call.ts';
import {GuestExit} from './guest-end.ts';
import {toUnsigned} from './guest-memory.ts';
import type {HostFunctions} from './lumenflow-imports.ts';
import {errno} from './wasi-error.ts';

const success = 0;
const nanoseconds = 1_000_000;
const [realtime, monotonic] = [0, 1];
/** Bytes of a subscription and of an event of `poll_oneoff`. */
const [subscriptionBytes, eventBytes] = [48, 32];
const subscriptionsMax = 1024;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

export function wasiImports(call: GuestCall): HostFunctions {
  const none = (count: unknown, bytes: unknown): number => {
    call.memory.writeUint32(count, 0);
    call.memory.writeUint32(bytes, 0);
    return success;
  };
  const unsupported = (): number => errno.notsup;
  return {
    args_sizes_get: none,
    args_get: () => success,
    environ_sizes_get: none,
    environ_get: () => success,
    clock_res_get(_clock, pointer) {
      call.memory.writeUint64(pointer, 1000n);
      return success;
    },
    clock_time_get(clock, _precision, pointer) {
      const now = timeOf(clock);
      if (now === undefined) return errno.inval;
      call.memory.writeUint64(pointer, now);
      return success;
    },
    random_get(pointer, length) {
      randomFillSync(call.memory.bytes(pointer, length));
      return success;
    },
    sched_yield: () => success,
    proc_exit(code) {
      throw new GuestExit(toUnsigned(code));
    },
    proc_raise(signal) {
      throw new GuestExit(128 + toUnsigned(signal));
    },
    poll_oneoff: (...given) => sleep(call, given),
    sock_accept: unsupported,
    sock_recv: unsupported,
    sock_send: unsupported,
    sock_shutdown: unsupported,
  };
}

function timeOf(clock: unknown): bigint | undefined {
  const id = toUnsigned(clock);
  if (id === realtime) return BigInt(Date.now()) * BigInt(nanoseconds);
  return id === monotonic ? BigInt(Math.round(performance.now() * nanoseconds)) : undefined;
}

/** Waits for the first clock; a stream is always ready. */
function sleep({memory}: GuestCall, [subscriptions, events, count, found]: readonly unknown[]): number {
  const wanted = toUnsigned(count);
  if (wanted === 0 || wanted > subscriptionsMax) return errno.inval;
  const input = memory.view(subscriptions, wanted * subscriptionBytes);
  const all = Array.from({length: wanted}, (_, index) => {
    const at = index * subscriptionBytes;
    const kind = input.getUint8(at + 8);
    const wait = kind === 0 ? waitOf(input, at) : 0;
    return {user: input.getBigUint64(at, true), kind, wait};
  });
  const waitMs = Math.min(...all.map(({wait}) => wait));
  if (waitMs > 0) Atomics.wait(sleeper, 0, 0, waitMs);
  const ready = all.filter(({wait}) => wait <= waitMs);
  const output = memory.view(events, ready.length * eventBytes);
  for (const [index, {user, kind}] of ready.entries()) {
    const at = index * eventBytes;
    for (let byte = 0; byte < eventBytes; byte += 8) output.setBigUint64(at + byte, 0n, true);
    output.setBigUint64(at, user, true);
    output.setUint8(at + 10, kind);
  }
  memory.writeUint32(found, ready.length);
  return success;
}

function waitOf(input: DataView, at: number): number {
  const [clock, timeout, flags] = [
    input.getUint32(at + 16, true),
    input.getBigUint64(at + 24, true),
    input.getUint16(at + 40, true),
  ];
  const isAbsolute = (flags & 1) === 1;
  const left = isAbsolute ? timeout - (timeOf(clock) ?? 0n) : timeout;
  return Math.max(0, Number(left) / nanoseconds);
}
