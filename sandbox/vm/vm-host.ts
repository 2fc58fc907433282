// The parts of this machine that virtual machines are made of.
import {existsSync} from 'node:fs';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {ReadyProbe} from '../bubblewrap/probe-bubblewrap.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {buildGuestSystem, type GuestSystem, type GuestSystemInput} from './guest-system/build-guest-system.ts';
import {findKernel, type GuestKernel} from './guest-system/find-kernel.ts';
import type {Hypervisor, HypervisorKind, VmOptions} from './hypervisor.ts';

export interface VmHost {
  readonly hypervisor: Hypervisor;
  readonly kernel: GuestKernel;
  /** Built again if another program has removed it. */
  system(): Promise<Outcome<GuestSystem>>;
  readonly nodePath: string;
}

export interface VmHostInput {
  readonly kind: HypervisorKind;
  readonly options: VmOptions;
  readonly agentPath: string;
  readonly runner: Pick<RunnerProgram, 'nodePath'>;
  readonly executor: CommandExecutor;
  readonly bubblewrap: ReadyProbe;
}

/** What every guest is made of. */
const guestPackages = 'linux-image-cloud-amd64 busybox-static e2fsprogs';
/** What tools usually start, and the libraries that native modules of Node are linked with. */
const usualPackages: readonly string[] = (
  'libc6 libgcc-s1 libstdc++6 bubblewrap perl-base coreutils dash bash grep sed gawk mawk findutils diffutils patch ' +
  'util-linux util-linux-extra tar gzip procps git'
).split(' ');

export async function lookAtVmHost(input: VmHostInput): Promise<Outcome<VmHost>> {
  const {kind, options, agentPath, runner, executor, bubblewrap} = input;
  const [busyboxPath, mke2fsPath] = [findProgram('busybox'), findProgram('mke2fs')];
  const kernel = findKernel();
  const install = `apt-get install ${kind.packages} ${guestPackages}`;
  if (kernel === undefined) return failed(missing('a kernel for virtual machines', install));
  if (busyboxPath === undefined) return failed(missing('busybox', install));
  if (mke2fsPath === undefined) return failed(missing('mke2fs', install));
  const {host, filter} = bubblewrap;
  const hypervisor = await kind.find({options, kernel, executor, bubblewrap: host, filter});
  if (!hypervisor.ok) return hypervisor;
  const system = keepBuilt({
    kernel,
    agentPath,
    busyboxPath,
    mke2fsPath,
    nodePath: runner.nodePath,
    packages: [...usualPackages, ...(options.packages ?? [])],
    topLevel: host.topLevel,
    executor,
  });
  const built = await system();
  if (!built.ok) return built;
  return ok({hypervisor: hypervisor.value, kernel, system, nodePath: runner.nodePath});
}

function keepBuilt(input: GuestSystemInput): VmHost['system'] {
  let built: GuestSystem | undefined;
  return async () => {
    if (built !== undefined && Object.values(built).every((path: string) => existsSync(path))) return ok(built);
    const made = await buildGuestSystem(input);
    if (made.ok) return ok((built = made.value));
    return failed({
      message: `the system of virtual machines could not be built (${made.problem})`,
      help: `install what it consists of with \`apt-get install ${guestPackages}\``,
    });
  };
}

function missing(what: string, install: string): SandboxProblem {
  return {message: `${what} is not installed`, help: `install it with \`${install}\``};
}
