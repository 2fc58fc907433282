// The sandbox's filter of system calls in the form of an OCI specification: the same table as the program that bubblewrap loads.
import {
  makesFile,
  newNamespaces,
  pairTypeConnected,
  pairTypeOther,
  setIdBits,
  socketFamilies,
  terminalInjections,
} from '../seccomp/build-filter.ts';
import {systemCallTable, type Architecture} from '../seccomp/system-call-table.ts';

interface Condition {
  readonly index: number;
  readonly value: number;
  readonly valueTwo?: number;
  readonly op: 'SCMP_CMP_MASKED_EQ' | 'SCMP_CMP_GE';
}

interface Rule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ERRNO';
  readonly errnoRet: number;
  /** All must be met. */
  readonly args?: readonly Condition[];
}

export interface OciSeccomp {
  readonly defaultAction: 'SCMP_ACT_ALLOW';
  readonly architectures: readonly string[];
  readonly syscalls: readonly Rule[];
}

const EPERM = 1;
const ENOSYS = 38;
const ESOCKTNOSUPPORT = 94;
const EAFNOSUPPORT = 97;
/** The kernel reads only the low half of these arguments. */
const lowHalf = 0xffffffff;

/**
 * `hasOwnKernel`: gVisor answers EPERM in place of ENOSYS, after which libc does not fall back from clone3. What clone3 makes
 * there is made in gVisor's own kernel.
 */
export function ociSeccomp(architecture: Architecture, hasOwnKernel: boolean): OciSeccomp {
  const {refused, unknown, modeSetters, openers} = systemCallTable(architecture);
  return {
    defaultAction: 'SCMP_ACT_ALLOW',
    // A call by another architecture's numbers ends the process.
    architectures: [architecture === 'x64' ? 'SCMP_ARCH_X86_64' : 'SCMP_ARCH_AARCH64'],
    syscalls: [
      refusal(Object.keys(refused), EPERM),
      refusal(
        Object.keys(unknown).filter((name) => !hasOwnKernel || name !== 'clone3'),
        ENOSYS,
      ),
      ...bitsOf(newNamespaces).map((bit) => refusal(['clone'], EPERM, [hasBit(0, bit)])),
      ...terminalInjections.map((request) => refusal(['ioctl'], EPERM, [equals(1, request)])),
      ...otherFamilies().map((family) => refusal(['socket'], EAFNOSUPPORT, [equals(0, family)])),
      refusal(['socket'], EAFNOSUPPORT, [{index: 0, value: highestFamily() + 1, op: 'SCMP_CMP_GE'}]),
      ...bitsOf(pairTypeOther).map((bit) => refusal(['socketpair'], ESOCKTNOSUPPORT, [hasBit(1, bit)])),
      refusal(['socketpair'], ESOCKTNOSUPPORT, [lacksBit(1, pairTypeConnected)]),
      ...bitsOf(setIdBits).flatMap((bit) => [
        ...modeSetters.map(({name, mode}) => refusal([name], EPERM, [hasBit(mode, bit)])),
        ...openers.flatMap(({name, mode}) =>
          bitsOf(makesFile).map((flag) => refusal([name], EPERM, [hasBit(mode - 1, flag), hasBit(mode, bit)])),
        ),
      ]),
    ],
  };
}

function refusal(names: readonly string[], errnoRet: number, args?: readonly Condition[]): Rule {
  return {names, action: 'SCMP_ACT_ERRNO', errnoRet, ...(args && {args})};
}

function hasBit(index: number, bit: number): Condition {
  return {index, value: bit, valueTwo: bit, op: 'SCMP_CMP_MASKED_EQ'};
}

function lacksBit(index: number, bit: number): Condition {
  return {index, value: bit, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ'};
}

function equals(index: number, value: number): Condition {
  return {index, value: lowHalf, valueTwo: value, op: 'SCMP_CMP_MASKED_EQ'};
}

function bitsOf(mask: number): readonly number[] {
  return Array.from({length: 31}, (_, at) => 2 ** at).filter((bit) => (mask & bit) !== 0);
}

function highestFamily(): number {
  return Math.max(...socketFamilies);
}

function otherFamilies(): readonly number[] {
  return Array.from({length: highestFamily()}, (_, family) => family).filter(
    (family) => !socketFamilies.includes(family),
  );
}
