// The system call filter of the sandbox as a classic BPF program, for `bwrap --seccomp FD`.
import {assemble, type Line} from './assemble.ts';
import {systemCallTable, type Architecture} from './system-call-table.ts';

/** Answers of linux/seccomp.h. */
const allow = 0x7fff0000;
const killProcess = 0x80000000;
const failWith = (errno: number): number => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;
const ESOCKTNOSUPPORT = 94;
const EAFNOSUPPORT = 97;

/** Offsets into `struct seccomp_data`; of an argument, the low half: that is all the kernel looks at in these calls. */
const numberAt = 0;
const architectureAt = 4;
const argumentAt = (index: number): number => 16 + index * 8;

/** Calls of the x32 ABI carry this bit; they would go by other numbers. */
const x32Bit = 0x40000000;
/** CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET */
export const newNamespaces: number = 0x7e020000;
/** TIOCSTI and TIOCLINUX type into the terminal of our parent. */
export const terminalInjections: readonly number[] = [0x5412, 0x541c];
/** AF_INET, AF_INET6, AF_NETLINK. AF_UNIX sockets come from socketpair() alone. */
export const socketFamilies: readonly number[] = [2, 10, 16];

/**
 * Of a pair's type: SOCK_STREAM and SOCK_SEQPACKET stay connected to each other. SOCK_DGRAM, which SOCK_RAW is taken for,
 * could send to any socket of the host that lies in a mount.
 */
export const pairTypeConnected: number = 0b0001;
export const pairTypeOther: number = 0b1010;

/** S_ISUID and S_ISGID: outside, such a program runs with the rights of the host's user, for any user that starts it. */
export const setIdBits: number = 0o6000;
/** O_CREAT, and the bit of O_TMPFILE that is not O_DIRECTORY. Without either, open ignores its mode, which may be missing. */
export const makesFile: number = 0o100 | 0o20000000;

/** The bytes of the program: an array of `struct sock_filter`. */
export function buildFilter(architecture: Architecture): Uint8Array {
  const table = systemCallTable(architecture);
  const jumpTo =
    (label: string) =>
    (value: number): Line => ({kind: 'jumpIfEqual', value, to: label});
  const openerModes = [...new Set(table.openers.map(({mode}) => mode))];
  const modes = [...new Set([...table.modeSetters, ...table.openers].map(({mode}) => mode))];
  return assemble([
    {kind: 'load', offset: architectureAt},
    {kind: 'jumpIfEqual', value: table.auditArch, to: 'known architecture', otherwise: 'kill'},
    label('known architecture'),
    {kind: 'load', offset: numberAt},
    {kind: 'jumpIfAtLeast', value: x32Bit, to: 'unknown call'},
    ...Object.values(table.refused).map(jumpTo('refuse')),
    ...Object.values(table.unknown).map(jumpTo('unknown call')),
    {kind: 'jumpIfEqual', value: table.inspected.clone, to: 'clone'},
    {kind: 'jumpIfEqual', value: table.inspected.ioctl, to: 'ioctl'},
    {kind: 'jumpIfEqual', value: table.inspected.socket, to: 'socket'},
    {kind: 'jumpIfEqual', value: table.inspected.socketpair, to: 'socketpair'},
    ...table.modeSetters.map(({nr, mode}): Line => ({kind: 'jumpIfEqual', value: nr, to: `mode ${mode}`})),
    ...table.openers.map(({nr, mode}): Line => ({kind: 'jumpIfEqual', value: nr, to: `open ${mode}`})),
    {kind: 'answer', value: allow},
    ...openerModes.flatMap((mode): readonly Line[] => [
      label(`open ${mode}`),
      {kind: 'load', offset: argumentAt(mode - 1)},
      {kind: 'jumpIfAnyBit', value: makesFile, to: `mode ${mode}`, otherwise: 'allow'},
    ]),
    ...modes.flatMap((mode): readonly Line[] => [
      label(`mode ${mode}`),
      {kind: 'load', offset: argumentAt(mode)},
      {kind: 'jumpIfAnyBit', value: setIdBits, to: 'refuse', otherwise: 'allow'},
    ]),
    label('clone'),
    {kind: 'load', offset: argumentAt(0)},
    {kind: 'jumpIfAnyBit', value: newNamespaces, to: 'refuse', otherwise: 'allow'},
    label('ioctl'),
    {kind: 'load', offset: argumentAt(1)},
    ...terminalInjections.map(jumpTo('refuse')),
    {kind: 'answer', value: allow},
    label('socket'),
    {kind: 'load', offset: argumentAt(0)},
    ...socketFamilies.map(jumpTo('allow')),
    {kind: 'answer', value: failWith(EAFNOSUPPORT)},
    label('socketpair'),
    {kind: 'load', offset: argumentAt(1)},
    {kind: 'jumpIfAnyBit', value: pairTypeOther, to: 'unknown type', otherwise: 'connected type'},
    label('connected type'),
    {kind: 'jumpIfAnyBit', value: pairTypeConnected, to: 'allow', otherwise: 'unknown type'},
    label('unknown type'),
    {kind: 'answer', value: failWith(ESOCKTNOSUPPORT)},
    label('refuse'),
    {kind: 'answer', value: failWith(EPERM)},
    label('unknown call'),
    {kind: 'answer', value: failWith(ENOSYS)},
    label('kill'),
    {kind: 'answer', value: killProcess},
    label('allow'),
    {kind: 'answer', value: allow},
  ]);
}

function label(name: string): Line {
  return {kind: 'label', name};
}
