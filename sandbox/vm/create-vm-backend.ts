// A backend that runs each call in a separate virtual machine, with its own kernel.
import {tmpdir} from 'node:os';
import {availableParallelism} from 'node:os';
import type {SandboxBackendOptions} from '@lumenflow/schemas';
import {reapOwnedFolders} from '../backends/leftover-folders.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import {rememberProbe} from '../backends/remember-probe.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend, StartRequest} from '../backends/sandbox-backend.ts';
import {probeBubblewrap} from '../bubblewrap/probe-bubblewrap.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {reapControlGroups} from '../limits/find-control-groups.ts';
import {limitConcurrency} from '../network/limit-concurrency.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {arrivalsKind} from '../packed-files/open-arrivals.ts';
import {isWithin} from '../profile/host-paths.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {probeVm} from './probe-vm.ts';
import {startVm} from './start-vm.ts';
import {lookAtVmHost, type VmHost} from './vm-host.ts';

export interface VmBackendOptions {
  readonly runner: Pick<RunnerProgram, 'nodePath'>;
  readonly executor: CommandExecutor;
  /** Where bwrap is looked for, in the form of PATH. */
  readonly searchPath: string;
  /** The agent in guests, built. */
  readonly agentPath: string;
  readonly options?: SandboxBackendOptions['vm'] | undefined;
}

interface ReadyVm {
  readonly host: VmHost;
  readonly report: AvailableReport;
}

const name = 'vm';

export function createVmBackend({
  runner,
  executor,
  searchPath,
  agentPath,
  options = {},
}: VmBackendOptions): SandboxBackend {
  const {program, packages = []} = options;
  const look = rememberProbe(
    async (): Promise<Outcome<ReadyVm>> => {
      const bubblewrap = await probeBubblewrap({searchPath}, executor);
      if (!bubblewrap.ok) return bubblewrap;
      if (process.arch !== 'x64') return failed(notHere);
      const {host: system, filter} = bubblewrap.value;
      const host = await lookAtVmHost({program, packages, agentPath, runner, executor, bubblewrap: system, filter});
      if (!host.ok) return host;
      const report = await probeVm(host.value, executor);
      return report.ok ? ok({host: host.value, report: report.value}) : report;
    },
    ({ok}) => ok,
  );
  // A guest that boots uses its processors in full.
  const inTurn = limitConcurrency(availableParallelism());
  return {
    name,
    capabilities: {
      spares: true,
      views: true,
      writesDirectly: false,
      network: undefined,
      selfTest: false,
      killsAtOnce: true,
      lacks: ['network_allowlist', 'network_full'],
    },
    async probe() {
      const probe = await look();
      return probe.ok ? probe.value.report : {available: false, backend: name, problem: probe.problem};
    },
    async start(request) {
      const probe = await look();
      if (!probe.ok) return probe;
      const problem = unsupported(request, program);
      return problem === undefined ? await inTurn(() => startVm(request, probe.value.host)) : failed(problem);
    },
    async reap() {
      await reapOwnedFolders(tmpdir(), arrivalsKind);
      // The machines themselves end with their host.
      reapControlGroups();
    },
    close: async () => undefined,
  };
}

const notHere: SandboxProblem = {
  message: `the backend \`vm\` does not run on ${process.arch}`,
  help: 'use `gvisor`, which has its own kernel too',
};

function unsupported({profile}: StartRequest, program: string | undefined): SandboxProblem | undefined {
  if (program !== undefined && isWithin(program, profile.workspaceRoot)) {
    return {
      message: `\`${program}\` is inside the workspace, where a call could replace it`,
      help: 'set `security.sandbox.backends.vm.program` to a path outside the workspace',
    };
  }
  if (profile.profile.network_posture === 'off') return undefined;
  return {
    message: 'the backend `vm` does not support `network_allowlist`: its machines have no network',
    help: 'remove the network scope of the tool, or use a backend with a network, such as `gvisor`',
  };
}
