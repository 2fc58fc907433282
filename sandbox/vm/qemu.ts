// QEMU as the hypervisor: a process in a bubblewrap sandbox that sees the kernel, the disk and nothing else of the host.
import {readFileSync} from 'node:fs';
import {launchBubblewrap} from '../bubblewrap/launch.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {ok} from '../outcome.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {clockKilohertz} from './clock-kilohertz.ts';
import {findHypervisorProgram} from './find-hypervisor-program.ts';
import type {Hypervisor, HypervisorInput, HypervisorKind, Machine, MachineBoot} from './hypervisor.ts';
import {printedBy} from './printed-by.ts';
import {qemuCommand, qemuMemoryBytes} from './qemu-command.ts';

const qemuProcesses = 64;
const packages = 'qemu-system-x86';
const versionMs = 60_000;

const isEmulated: SandboxProblem = {
  message: 'virtual machines run by software emulation: a start takes seconds, and programs run much slower',
  help: 'use `gvisor` where calls must be fast: it meets the profile `hardened` too',
};

export const qemu: HypervisorKind = {
  backend: 'vm',
  testedWithStandIn: false,
  packages,
  // bubblewrap ends with its host, and the machine with it.
  reap: async () => undefined,
  async find(input) {
    const found = findHypervisorProgram('qemu-system-x86_64', {
      given: input.options.program,
      option: 'vm.program',
      install: `install it with \`apt-get install ${packages}\``,
    });
    if (!found.ok) return found;
    const programPath = found.value;
    const {kernel, bubblewrap, executor} = input;
    return ok<Hypervisor>({
      backend: 'vm',
      version: `QEMU ${await versionOf(programPath, executor)}, software emulation`,
      gaps: [isEmulated],
      files: [programPath, kernel.imagePath, bubblewrap.bwrapPath],
      launch: async (boot) => ok(await launchQemu(programPath, boot, input)),
    });
  },
};

async function launchQemu(programPath: string, boot: MachineBoot, input: HypervisorInput): Promise<Machine> {
  const {system, memoryBytes, processors} = boot;
  const kernelPath = input.kernel.imagePath;
  const limits = {memory_bytes: memoryBytes + qemuMemoryBytes, processes: qemuProcesses};
  const {wire, stdout, stderr, ...launched} = await launchBubblewrap({
    host: input.bubblewrap,
    filter: input.filter,
    profile: {...narrowestProfile([kernelPath, system.initrdPath, system.diskPath]), limits},
    argv: qemuCommand({
      programPath,
      kernelPath,
      ...system,
      processors,
      clockKilohertz: clockKilohertz(readFileSync('/proc/cpuinfo', 'latin1')),
      memoryBytes,
      portFd: 3,
    }),
    cwd: '/tmp',
    output: 'pipe',
    withWire: true,
  });
  return {
    ...launched,
    port: Promise.resolve(wire),
    console: printedBy(stdout, 16_000),
    errors: printedBy(stderr, 4000),
  };
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
