// The filter is judged by interpreting its instructions as the kernel does.
import {expect, test} from 'vitest';
import {assemble} from './assemble.ts';
import {buildFilter} from './build-filter.ts';
import {systemCallTable, type Architecture} from './system-call-table.ts';

interface Call {
  readonly arch: number;
  readonly nr: number;
  readonly args?: readonly bigint[];
}

/** Runs a program over `struct seccomp_data`; refuses what the kernel's checker refuses. */
function interpret(program: Uint8Array, call: Call): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.nr, true);
  data.setUint32(4, call.arch, true);
  for (const [index, value] of (call.args ?? []).entries()) data.setBigUint64(16 + index * 8, value, true);
  const code = new DataView(program.buffer);
  const count = program.length / 8;
  let accumulator = 0;
  for (let at = 0; at < count; at += 1) {
    const [op, jt, jf, k] = [
      code.getUint16(at * 8, true),
      code.getUint8(at * 8 + 2),
      code.getUint8(at * 8 + 3),
      code.getUint32(at * 8 + 4, true),
    ];
    if (op === 0x06) return k;
    if (op === 0x20) {
      if (k % 4 !== 0 || k > 60) throw new Error(`bad load at ${at}`);
      accumulator = data.getUint32(k, true);
    } else {
      const met = {0x15: accumulator === k, 0x35: accumulator >= k, 0x45: (accumulator & k) !== 0}[op];
      if (met === undefined) throw new Error(`unknown operation ${op} at ${at}`);
      at += met ? jt : jf;
    }
  }
  throw new Error('the program ran over its end');
}

const ALLOW = 0x7fff0000;
const errno = (number: number): number => 0x50000 | number;
const architectures: Architecture[] = ['x64', 'arm64'];

for (const architecture of architectures) {
  const program = buildFilter(architecture);
  const table = systemCallTable(architecture);
  const modeCalls = [...table.modeSetters, ...table.openers];
  const answer = (nr: number, ...args: bigint[]): number => interpret(program, {arch: table.auditArch, nr, args});

  test(`${architecture}: only the listed calls are refused, among all numbers`, () => {
    const refused = new Set(Object.values(table.refused));
    const unknown = new Set(Object.values(table.unknown));
    const inspected = [...Object.values(table.inspected), ...modeCalls.map(({nr}) => nr)];
    for (let nr = 0; nr < 600; nr += 1) {
      if (inspected.includes(nr)) continue;
      const expected = refused.has(nr) ? errno(1) : unknown.has(nr) ? errno(38) : ALLOW;
      expect([nr, answer(nr)]).toEqual([nr, expected]);
    }
  });

  test(`${architecture}: another architecture is killed, the x32 numbers are unknown`, () => {
    for (const arch of [0x40000003, 0xc000003e, 0xc00000b7, 0].filter((arch) => arch !== table.auditArch)) {
      expect(interpret(program, {arch, nr: 1})).toBe(0x80000000);
    }
    expect(answer(0x40000000 + 1)).toBe(errno(38));
  });

  test(`${architecture}: clone makes threads and processes, no namespaces`, () => {
    const {clone} = table.inspected;
    // What glibc passes for a thread, and for fork.
    expect(answer(clone, 0x3d0f00n)).toBe(ALLOW);
    expect(answer(clone, 0x1200011n)).toBe(ALLOW);
    for (const flag of [0x20000n, 0x2000000n, 0x4000000n, 0x8000000n, 0x10000000n, 0x20000000n, 0x40000000n]) {
      expect(answer(clone, flag | 17n)).toBe(errno(1));
    }
  });

  test(`${architecture}: ioctl types into no terminal, whatever the upper half of its argument says`, () => {
    const {ioctl} = table.inspected;
    expect(answer(ioctl, 0n, 0x5401n)).toBe(ALLOW);
    for (const request of [0x5412n, 0x541cn, 0x100005412n]) expect(answer(ioctl, 0n, request)).toBe(errno(1));
  });

  test(`${architecture}: no call gives a file the setuid or setgid bit`, () => {
    expect(modeCalls).toHaveLength(architecture === 'x64' ? 9 : 5);
    for (const {nr, mode} of modeCalls) {
      // The flags of an open come before its mode; in the others this argument is a path or a descriptor.
      const given = (bits: bigint, flags: bigint): bigint[] => [
        ...Array.from({length: mode - 1}, () => 0n),
        flags,
        bits,
      ];
      const create = 0o101n;
      for (const bits of [0o644n, 0o1777n, 0o755n]) expect(answer(nr, ...given(bits, create))).toBe(ALLOW);
      for (const bits of [0o4755n, 0o2755n, 0o6000n]) expect(answer(nr, ...given(bits, create))).toBe(errno(1));
    }
    for (const {nr, mode} of table.openers) {
      const given = (flags: bigint): bigint[] => [...Array.from({length: mode - 1}, () => 0n), flags, 0o4755n];
      expect(answer(nr, ...given(0n))).toBe(ALLOW);
      expect(answer(nr, ...given(0o200000n))).toBe(ALLOW);
      expect(answer(nr, ...given(0o20200002n))).toBe(errno(1));
    }
  });

  test(`${architecture}: socket gives internet and netlink sockets alone`, () => {
    const {socket} = table.inspected;
    for (let family = 0n; family < 50n; family += 1n) {
      expect(answer(socket, family, 1n)).toBe([2n, 10n, 16n].includes(family) ? ALLOW : errno(97));
    }
    expect(answer(socket, 0x100000001n)).toBe(errno(97));
  });

  test(`${architecture}: a pair of sockets stays connected to itself`, () => {
    const {socketpair} = table.inspected;
    const flags = 0o2004000n;
    for (let type = 0n; type < 16n; type += 1n) {
      expect(answer(socketpair, 1n, type | flags)).toBe([1n, 5n].includes(type) ? ALLOW : errno(94));
    }
  });
}

test('the lists contain the calls of the contract', () => {
  for (const architecture of architectures) {
    const {refused, unknown} = systemCallTable(architecture);
    expect(Object.keys(refused)).toEqual(
      expect.arrayContaining([
        'ptrace',
        'process_vm_readv',
        'process_vm_writev',
        'keyctl',
        'mount',
        'umount2',
        'unshare',
        'setns',
        'bpf',
        'perf_event_open',
        'userfaultfd',
        'open_by_handle_at',
        'kexec_load',
        'init_module',
        'pidfd_getfd',
      ]),
    );
    expect(Object.keys(unknown)).toEqual(
      expect.arrayContaining(['clone3', 'io_uring_setup', 'fsopen', 'move_mount', 'mount_setattr']),
    );
    const numbers = [...Object.values(refused), ...Object.values(unknown)];
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});

test('a missing or earlier label is rejected', () => {
  expect(() => assemble([{kind: 'jumpIfEqual', value: 1, to: 'nowhere'}])).toThrow('`nowhere` is out of reach');
  expect(() =>
    assemble([
      {kind: 'label', name: 'back'},
      {kind: 'load', offset: 0},
      {kind: 'jumpIfEqual', value: 1, to: 'back'},
    ]),
  ).toThrow('`back`');
});
