// Firecracker as the hypervisor: each machine is a separate process in a jail, and is described over a separate socket. It has
// no network card.
import type {CommandExecutor} from '../commands/command-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {findHypervisorProgram} from '../vm/find-hypervisor-program.ts';
import type {Hypervisor, HypervisorKind} from '../vm/hypervisor.ts';
import {reapJails} from './jail.ts';
import {launchFirecracker} from './launch-firecracker.ts';
import {unpackKernel} from './unpack-kernel.ts';

const backend = 'firecracker';
const versionMs = 60_000;
const install = 'install `firecracker` and `jailer` of the same release, and name them in the options of this backend';

const needsRoot: SandboxProblem = {
  message: 'the jailer of Firecracker requires root',
  help: 'run the host as root, or use `vm` or `gvisor`',
};

export const firecracker: HypervisorKind = {
  backend,
  testedWithStandIn: true,
  hasNetworks: false,
  // Which unpacks the kernel.
  packages: 'lz4',
  async find({options, kernel, executor, bubblewrap}) {
    const program = findHypervisorProgram(backend, {given: options.program, option: `${backend}.program`, install});
    if (!program.ok) return program;
    const jailer = findHypervisorProgram('jailer', {given: options.jailer, option: `${backend}.jailer`, install});
    if (!jailer.ok) return jailer;
    if (bubblewrap.uid !== 0) return failed(needsRoot);
    const unsharePath = findProgram('unshare');
    if (unsharePath === undefined) {
      return failed({message: 'unshare is not installed', help: 'install it with `apt-get install util-linux`'});
    }
    const kernelPath = await unpackKernel(kernel, executor);
    if (!kernelPath.ok) return kernelPath;
    const programs = {
      kernel: async () => await unpackKernel(kernel, executor),
      programPath: program.value,
      jailerPath: jailer.value,
      unsharePath,
      controlGroups: bubblewrap.controlGroups,
    };
    return ok<Hypervisor>({
      backend,
      version: `Firecracker ${await versionOf(program.value, executor)}`,
      gaps: [],
      files: [program.value, jailer.value, unsharePath, kernelPath.value],
      launch: async (boot) => await launchFirecracker(boot, programs),
    });
  },
  reap: reapJails,
};

async function versionOf(programPath: string, executor: CommandExecutor): Promise<string> {
  const {stdout} = await executor.run({
    command: programPath,
    args: ['--version'],
    cwd: '/',
    env: {},
    outputSink: {kind: 'capture', maxBytes: 1000},
    timeoutMs: versionMs,
  });
  return /^Firecracker v?(\S+)/m.exec(stdout)?.[1] ?? 'unknown';
}
