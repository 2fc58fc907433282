// QEMU as the hypervisor: a process in a bubblewrap sandbox that sees the kernel, the disk and nothing else of the host.
import {readFileSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {reapOwnedFolders} from '../backends/leftover-folders.ts';
import {launchBubblewrap, type Launched} from '../bubblewrap/launch.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {ok} from '../outcome.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {clockKilohertz} from './clock-kilohertz.ts';
import {findHypervisorProgram} from './find-hypervisor-program.ts';
import type {Hypervisor, HypervisorInput, HypervisorKind, Machine, MachineBoot} from './hypervisor.ts';
import {printedBy} from './printed-by.ts';
import {qemuCommand, qemuMemoryBytes} from './qemu-command.ts';
import {savingKind, type SavedFrom} from './save-machine.ts';
import {SavedMachines, type SavedMachine} from './saved-machines.ts';

const qemuProcesses = 64;
/** Machines of one size continue from the same saved one. */
const memoryStep = 256 * 1024 ** 2;
const wireFd = 3;
/** QEMU reads a saved machine from a descriptor; its path is the first argument. */
const restoredFd = 5;
const openFirst = `exec ${restoredFd}<"$1"; shift; exec "$@"`;
const packages = 'qemu-system-x86';
const versionMs = 60_000;

const isEmulated: SandboxProblem = {
  message: 'virtual machines run by software emulation: a start takes seconds, and programs run much slower',
  help: 'use `gvisor` where calls must be fast: it meets the profile `hardened` too',
};

export const qemu: HypervisorKind = {
  backend: 'vm',
  testedWithStandIn: false,
  hasNetworks: true,
  packages,
  // bubblewrap ends with its host, and the machine with it.
  reap: async () => await reapOwnedFolders(tmpdir(), savingKind),
  async find(input) {
    const found = findHypervisorProgram('qemu-system-x86_64', {
      given: input.options.program,
      option: 'vm.program',
      install: `install it with \`apt-get install ${packages}\``,
    });
    if (!found.ok) return found;
    const programPath = found.value;
    const {kernel, bubblewrap, executor} = input;
    const version = `QEMU ${await versionOf(programPath, executor)}, software emulation`;
    const saved = new SavedMachines([version, ...[programPath, kernel.imagePath].map(identityOf)]);
    return ok<Hypervisor>({
      backend: 'vm',
      version,
      gaps: [isEmulated],
      files: [programPath, kernel.imagePath, bubblewrap.bwrapPath],
      async launch(given) {
        const memoryBytes = Math.ceil(given.memoryBytes / memoryStep) * memoryStep;
        const boot = {...given, memoryBytes};
        const restored = await saved.find(boot, (from) => launchQemu(programPath, {...boot, from}, input));
        return ok(machineOf(await launchQemu(programPath, {...boot, restored}, input), restored));
      },
    });
  },
};

interface QemuStart extends MachineBoot {
  readonly restored?: SavedMachine | undefined;
  /** The machine is started to be saved. */
  readonly from?: SavedFrom;
}

/** Its wire is its port, or takes commands for a machine that is to be saved. */
async function launchQemu(programPath: string, start: QemuStart, input: HypervisorInput): Promise<Launched> {
  const {system, memoryBytes, processors, enterNetwork, restored, from} = start;
  const kernelPath = input.kernel.imagePath;
  const limits = {memory_bytes: memoryBytes + qemuMemoryBytes, processes: qemuProcesses};
  const command = qemuCommand({
    programPath,
    kernelPath,
    ...system,
    processors,
    clockKilohertz: clockKilohertz(readFileSync('/proc/cpuinfo', 'latin1')),
    memoryBytes,
    hasNetwork: enterNetwork !== undefined,
    port: from === undefined ? `fd=${wireFd}` : `path=${from.portPath}`,
    ...(restored && {restoredFd}),
    ...(from && {controlFd: wireFd}),
  });
  // A machine that is saved connects to nothing.
  const joined = from === undefined ? enterNetwork : undefined;
  const readable = [kernelPath, system.initrdPath, system.diskPath, ...(restored ? [restored.path] : [])];
  return await launchBubblewrap({
    host: input.bubblewrap,
    filter: input.filter,
    profile: {
      ...narrowestProfile(readable),
      // Its resolver is then the namespace's.
      ...(joined && {network_posture: 'full'}),
      // A machine that is saved runs nothing of a call, and connects to two sockets of its host by their paths.
      ...(from && {syscalls: 'none', writable_bind_mounts: [{source: from.folder, target: from.folder}]}),
      limits,
    },
    argv: restored ? ['/bin/sh', '-c', openFirst, 'sh', restored.path, ...command] : command,
    cwd: '/tmp',
    enterNetwork: joined,
    output: 'pipe',
    withWire: true,
  });
}

function machineOf({wire, stdout, stderr, ...launched}: Launched, restored: SavedMachine | undefined): Machine {
  return {
    ...launched,
    restored,
    port: Promise.resolve(wire),
    console: printedBy(stdout, 16_000),
    errors: printedBy(stderr, 4000),
  };
}

function identityOf(path: string): string {
  return `${path} ${statSync(path).mtimeMs}`;
}

async function versionOf(programPath: string, executor: CommandExecutor): Promise<string> {
  const {stdout} = await executor.run({
    command: programPath,
    args: ['--version'],
    cwd: '/',
    env: {},
    outputSink: {kind: 'capture', maxBytes: 1000},
    timeoutMs: versionMs,
  });
  return /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
}
