// A backend that runs each call in a separate virtual machine, with its own kernel.
import {tmpdir} from 'node:os';
import {availableParallelism} from 'node:os';
import {reapOwnedFolders} from '../backends/leftover-folders.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import {probedBackend} from '../backends/probed-backend.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend} from '../backends/sandbox-backend.ts';
import {probeBubblewrap} from '../bubblewrap/probe-bubblewrap.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {reapControlGroups} from '../limits/find-control-groups.ts';
import {limitConcurrency} from '../network/limit-concurrency.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {arrivalsKind} from '../packed-files/open-arrivals.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {HypervisorKind, VmBackendName, VmOptions} from './hypervisor.ts';
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
  readonly options?: VmOptions | undefined;
}

interface ReadyVm {
  readonly host: VmHost;
  readonly report: AvailableReport;
}

export function createVmBackend(
  kind: HypervisorKind,
  {runner, executor, searchPath, agentPath, options = {}}: VmBackendOptions,
): SandboxBackend {
  const name = kind.backend;
  // A guest that boots uses its processors in full.
  const inTurn = limitConcurrency(availableParallelism());
  const {probe, start} = probedBackend({
    name,
    testedWithStandIn: kind.testedWithStandIn,
    async look(): Promise<Outcome<ReadyVm>> {
      const bubblewrap = await probeBubblewrap({searchPath}, executor);
      if (!bubblewrap.ok) return bubblewrap;
      if (process.arch !== 'x64') return failed(notHere(name));
      const host = await lookAtVmHost({kind, options, agentPath, runner, executor, bubblewrap: bubblewrap.value});
      if (!host.ok) return host;
      const report = await probeVm(host.value);
      return report.ok ? ok({host: host.value, report: report.value}) : report;
    },
    startedBy: {option: 'program', paths: ({host}) => host.hypervisor.files},
    start: async (request, {host}) =>
      kind.hasNetworks || request.profile.profile.network_posture === 'off'
        ? await inTurn(() => startVm(request, host))
        : failed(noNetwork(name)),
  });
  return {
    name,
    capabilities: {
      spares: true,
      views: true,
      writesDirectly: false,
      network: kind.hasNetworks ? 'namespace' : undefined,
      selfTest: false,
      killsAtOnce: true,
      lacks: kind.hasNetworks ? [] : ['network_allowlist', 'network_full'],
    },
    probe,
    start,
    async reap() {
      await Promise.all([reapOwnedFolders(tmpdir(), arrivalsKind), kind.reap()]);
      reapControlGroups();
    },
    close: async () => undefined,
  };
}

function notHere(name: VmBackendName): SandboxProblem {
  return {
    message: `the backend \`${name}\` does not run on ${process.arch}`,
    help: 'use `gvisor`, which has its own kernel too',
  };
}

function noNetwork(name: VmBackendName): SandboxProblem {
  return {
    message: `the backend \`${name}\` does not support \`network_allowlist\`: its machines have no network`,
    help: 'remove the network scope of the tool, or use a backend with a network, such as `gvisor`',
  };
}
