// The parts of this machine that virtual machines are made of.
import {existsSync, readFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {HostSystem} from '../bubblewrap/host-system.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {executableAt} from '../commands/executable-at.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {buildGuestSystem, type GuestSystem, type GuestSystemInput} from './guest-system/build-guest-system.ts';
import {findKernel, type GuestKernel} from './guest-system/find-kernel.ts';

export interface VmHost {
  readonly programPath: string;
  readonly kernel: GuestKernel;
  /** Built again if another program has removed it. */
  system(): Promise<Outcome<GuestSystem>>;
  readonly processors: number;
  readonly clockKilohertz: number;
  readonly nodePath: string;
  /** Confines the machine itself. */
  readonly bubblewrap: HostSystem;
  readonly filter: Uint8Array;
}

export interface VmHostInput {
  /** Absolute path of QEMU; default: the first in the directories of the system. */
  readonly program: string | undefined;
  /** Packages of the distribution in the guest, besides the usual ones. */
  readonly packages: readonly string[];
  readonly agentPath: string;
  readonly runner: Pick<RunnerProgram, 'nodePath'>;
  readonly executor: CommandExecutor;
  readonly bubblewrap: HostSystem;
  readonly filter: Uint8Array;
}

const install = 'apt-get install qemu-system-x86 linux-image-cloud-amd64 busybox-static e2fsprogs';
/** What tools usually start. */
const usualPackages: readonly string[] = (
  'bubblewrap coreutils dash bash grep sed gawk mawk findutils diffutils patch ' +
  'util-linux util-linux-extra tar gzip procps git'
).split(' ');
const processorsMax = 2;
const usualKilohertz = 2_000_000;

export async function lookAtVmHost(input: VmHostInput): Promise<Outcome<VmHost>> {
  const {program, packages, agentPath, runner, executor, bubblewrap, filter} = input;
  const programPath = program === undefined ? findProgram('qemu-system-x86_64') : executableAt(program);
  const [busyboxPath, mke2fsPath] = [findProgram('busybox'), findProgram('mke2fs')];
  const kernel = findKernel();
  if (programPath === undefined && program !== undefined) {
    return failed({
      message: `\`${program}\` is not an executable file`,
      help: 'correct `security.sandbox.backends.vm.program`',
    });
  }
  if (programPath === undefined) return failed(missing('qemu-system-x86_64'));
  if (kernel === undefined) return failed(missing('a kernel for virtual machines'));
  if (busyboxPath === undefined) return failed(missing('busybox'));
  if (mke2fsPath === undefined) return failed(missing('mke2fs'));
  const system = keepBuilt({
    kernel,
    agentPath,
    busyboxPath,
    mke2fsPath,
    nodePath: runner.nodePath,
    packages: [...usualPackages, ...packages],
    topLevel: bubblewrap.topLevel,
    executor,
  });
  const built = await system();
  if (!built.ok) return built;
  return ok({
    programPath,
    kernel,
    system,
    processors: Math.min(processorsMax, availableParallelism()),
    clockKilohertz: clockKilohertz(readFileSync('/proc/cpuinfo', 'latin1')),
    nodePath: runner.nodePath,
    bubblewrap,
    filter,
  });
}

function keepBuilt(input: GuestSystemInput): VmHost['system'] {
  let built: GuestSystem | undefined;
  return async () => {
    if (built !== undefined && Object.values(built).every((path: string) => existsSync(path))) return ok(built);
    const made = await buildGuestSystem(input);
    if (made.ok) return ok((built = made.value));
    return failed({
      message: `the system of virtual machines could not be built (${made.problem})`,
      help: `install what it consists of with \`${install}\``,
    });
  };
}

function missing(what: string): SandboxProblem {
  return {message: `${what} is not installed`, help: `install it with \`${install}\``};
}

/** The rated frequency, at which the counter runs; the current one where the name does not contain it. */
export function clockKilohertz(cpuinfo: string): number {
  const rated = /@ ([\d.]+)GHz/.exec(cpuinfo)?.[1];
  if (rated !== undefined) return Math.round(Number(rated) * 1e6);
  const current = /^cpu MHz\s*: ([\d.]+)$/m.exec(cpuinfo)?.[1];
  return current === undefined ? usualKilohertz : Math.round(Number(current) * 1000);
}
