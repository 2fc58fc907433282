// The rules are judged as libseccomp applies them, and must agree with the program that bubblewrap loads.
import {expect, test} from 'vitest';
import {systemCallTable} from '../seccomp/system-call-table.ts';
import {ociSeccomp} from './oci-seccomp.ts';

const EPERM = 1;
const ENOSYS = 38;

/** The error number that a call gets; 0 if it is allowed. */
function answer(name: string, args: readonly bigint[] = [], hasOwnKernel = false): number {
  const met = ociSeccomp('x64', hasOwnKernel).syscalls.find(
    (rule) =>
      rule.names.includes(name) &&
      (rule.args ?? []).every(({index, value, valueTwo = 0, op}) => {
        const given = args[index] ?? 0n;
        return op === 'SCMP_CMP_GE' ? given >= BigInt(value) : (given & BigInt(value)) === BigInt(valueTwo);
      }),
  );
  return met?.errnoRet ?? 0;
}

test('each refused call gets EPERM and each unknown one ENOSYS', () => {
  const {refused, unknown} = systemCallTable('x64');
  for (const name of Object.keys(refused)) expect([name, answer(name)]).toEqual([name, EPERM]);
  for (const name of Object.keys(unknown)) expect([name, answer(name)]).toEqual([name, ENOSYS]);
  for (const name of ['read', 'execve', 'connect', 'futex']) expect([name, answer(name)]).toEqual([name, 0]);
});

test('threads and processes can be made, and namespaces not', () => {
  for (const flags of [0x3d0f00n, 0x1200011n]) expect(answer('clone', [flags])).toBe(0);
  for (const flag of [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n])
    expect(answer('clone', [flag | 17n])).toBe(EPERM);
});

test('sockets are of the internet and netlink alone, and pairs are connected', () => {
  for (let family = 0n; family < 50n; family += 1n)
    expect([family, answer('socket', [family, 1n])]).toEqual([family, [2n, 10n, 16n].includes(family) ? 0 : 97]);
  for (let type = 0n; type < 16n; type += 1n)
    expect([type, answer('socketpair', [1n, type | 0o2004000n])]).toEqual([type, [1n, 5n].includes(type) ? 0 : 94]);
});

test('nothing types into a terminal, for any high half of the request', () => {
  expect(answer('ioctl', [0n, 0x5401n])).toBe(0);
  for (const request of [0x5412n, 0x541cn, 0x100005412n]) expect(answer('ioctl', [0n, request])).toBe(EPERM);
});

test('no file gets a set-id bit', () => {
  expect([answer('chmod', [0n, 0o755n]), answer('chmod', [0n, 0o4755n])]).toEqual([0, EPERM]);
  expect([answer('fchmodat', [0n, 0n, 0o1777n]), answer('fchmodat', [0n, 0n, 0o2755n])]).toEqual([0, EPERM]);
  // Without a flag that makes a file, the mode means nothing.
  const open = (flags: bigint, mode: bigint): number => answer('openat', [0n, 0n, flags, mode]);
  expect([open(0n, 0o4755n), open(0o101n, 0o644n), open(0o101n, 0o4755n), open(0o20200002n, 0o4755n)]).toEqual([
    0,
    0,
    EPERM,
    EPERM,
  ]);
});

test('gVisor answers clone3 itself', () => {
  expect(answer('clone3', [], true)).toBe(0);
  expect(answer('io_uring_setup', [], true)).toBe(ENOSYS);
});
