// Tries what containerd enforces on this machine with a runtime: a container is started with every protection, and a trial in it
// attempts escapes.
import {keptTrial, keptTrialMs} from '../backends/kept-trial.ts';
import {fileIdentity, machineKey} from '../backends/machine-key.ts';
import type {AvailableReport, Strength} from '../backends/probe-report.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import {tierOf, type Guarantees} from '../backends/security-tier.ts';
import {tryContainer, type TriedContainer} from '../engine/try-container.ts';
import {findProgram} from '../commands/find-program.ts';
import {partsKey} from '../oci/oci-host.ts';
import {foundGuarantees} from '../oci/found-guarantees.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {lookAtContainerd, type ContainerdHost, type ContainerdLook} from './containerd-host.ts';
import {launchInContainerd} from './launch-in-containerd.ts';

export interface ReadyContainerd {
  readonly host: ContainerdHost;
  /** See `SandboxBackend`. */
  readonly trialKey: readonly string[];
  readonly report: AvailableReport;
}

export interface ContainerdProbe extends Omit<ContainerdLook, 'architecture'> {
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
}

export async function probeContainerd({runner, ...look}: ContainerdProbe): Promise<Outcome<ReadyContainerd>> {
  const {backend} = look;
  const architecture = process.arch;
  if (process.platform !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64')) {
    return failed({
      message: `calls in ${backend} do not run on ${process.platform} ${architecture}`,
      help: 'use Linux on x64 or arm64',
    });
  }
  const looked = await lookAtContainerd({...look, architecture});
  if (!looked.ok) return looked;
  const host = looked.value;
  const trialKey = trialKeyOf(host, runner);
  const run = async (): Promise<Outcome<TriedContainer>> =>
    await tryContainer({
      backend,
      runner,
      launch: (trial) => launchInContainerd({host, ...trial, showsGroup: true}),
    });
  const tried = await keptTrial({key: trialKey, validMs: keptTrialMs, run});
  if (!tried.ok) return failed(explained(tried.problem, host));
  const found = foundGuarantees(tried.value.facts, {runtime: host.runtime, ...tried.value});
  const guarantees = host.runtime.hasOwnKernel ? unmeasured(found) : found;
  return ok({
    host,
    trialKey,
    report: {available: true, backend, tier: tierOf(guarantees), version: host.version, guarantees, gaps: gapsOf(host)},
  });
}

/** containerd since its start, its runtime, and what its containers are made of. */
function trialKeyOf(
  {backend, api, runtime, version, ...parts}: ContainerdHost,
  {nodePath, runtimePaths}: ContainerdProbe['runner'],
): readonly string[] {
  const program = findProgram(runtime.program);
  return [
    ...machineKey(),
    backend,
    version,
    fileIdentity(api.socketPath),
    JSON.stringify(runtime),
    partsKey(parts),
    ...[nodePath, ...runtimePaths, ...(program === undefined ? [] : [program])].map(fileIdentity),
  ];
}

/** A process of another kernel cannot be measured from here: what its runtime does not limit is without a limit. */
function unmeasured(found: Guarantees): Guarantees {
  const ifLimited = (strength: Strength): Strength => (strength === 'enforced' ? strength : 'unsupported');
  return {...found, memory: ifLimited(found.memory), process_count: ifLimited(found.process_count)};
}

/** containerd finds out at the first start whether it has the runtime. */
function explained(problem: SandboxProblem, {runtime}: ContainerdHost): SandboxProblem {
  const {program, install} = runtime;
  const isMissing = /not installed|executable file not found/.test(problem.message);
  return isMissing
    ? {
        message: `containerd does not find \`${program}\``,
        help: `install it: ${install}`,
      }
    : problem;
}

function gapsOf({backend, runtime}: ContainerdHost): readonly SandboxProblem[] {
  return [
    {
      message: `${backend} mounts paths, so mounts are checked only before the start`,
      help: 'use `bubblewrap` 0.10 or later where calls run beside calls that write to the same folders',
    },
    ...(runtime.filter === 'names' && !runtime.hasOwnKernel
      ? [
          {
            message: `${backend} filters only the system calls that the libseccomp of its runtime has names for`,
            help: 'set `security.sandbox.backends.containerd.runtime` to `crun`, which filters all of them',
          },
        ]
      : []),
  ];
}
