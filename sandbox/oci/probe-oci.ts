// Tries what a runtime enforces on this machine: a container is started with every protection, and a trial in it attempts escapes.
import {join} from 'node:path';
import {rm, writeFile} from 'node:fs/promises';
import {keptTrial, keptTrialMs} from '../backends/kept-trial.ts';
import {fileIdentity, machineKey} from '../backends/machine-key.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import {tierOf} from '../backends/security-tier.ts';
import {makeTrialFolder} from '../backends/trial-folders.ts';
import {trialOutput} from '../backends/trial-output.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {bundleMark} from './container-bundle.ts';
import {trialProfile, trialScript, type TrialFacts} from './container-trial.ts';
import {noTrialFacts, trialFacts} from './trial-facts.ts';
import {explainContainer} from './explain-container.ts';
import {foundGuarantees} from './found-guarantees.ts';
import {launchContainer} from './launch-container.ts';
import {lookAtOciHost, partsKey, type OciHost, type OciPrograms} from './oci-host.ts';

export interface ReadyOci {
  readonly host: OciHost;
  /** See `SandboxBackend`. */
  readonly trialKey: readonly string[];
  readonly report: AvailableReport;
}

const versionMs = 20_000;

export async function probeOci(
  programs: OciPrograms,
  runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>,
): Promise<Outcome<ReadyOci>> {
  const architecture = process.arch;
  if (process.platform !== 'linux' || (architecture !== 'x64' && architecture !== 'arm64')) {
    return failed({
      message: `${programs.runtime.program} does not run on ${process.platform} ${architecture}`,
      help: 'use Linux on x64 or arm64',
    });
  }
  const host = lookAtOciHost(programs, architecture);
  const trialKey = trialKeyOf(host, runner);
  const [versions, tried] = await Promise.all([
    versionOf(programs),
    keptTrial({key: trialKey, validMs: keptTrialMs, run: async () => await trial(host, runner)}),
  ]);
  if (!tried.ok) return failed(withVersion(tried.problem, programs, versions));
  const {facts, environment, grouped} = tried.value;
  const guarantees = foundGuarantees(facts, {runtime: programs.runtime, environment, grouped});
  return ok({
    host,
    trialKey,
    report: {
      available: true,
      backend: programs.runtime.backend,
      tier: tierOf(guarantees),
      version: versions.runtime ?? 'unknown',
      guarantees,
      gaps: [
        ...(guarantees.system_calls === 'best_effort' ? [unnamedCalls(programs, versions.libseccomp)] : []),
        checkedBefore(programs),
      ],
    },
  });
}

/** The runtime, how it is started, and what its containers are made of. */
function trialKeyOf(
  {runtime, programPath, surroundings, ...parts}: OciHost,
  {nodePath, runtimePaths}: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>,
): readonly string[] {
  return [
    ...machineKey(),
    JSON.stringify([runtime, surroundings(false), surroundings(true)]),
    partsKey(parts),
    ...[programPath, nodePath, ...runtimePaths].map(fileIdentity),
  ];
}

interface Tried {
  readonly facts: TrialFacts;
  readonly environment: readonly string[];
  readonly grouped: readonly ('memory_bytes' | 'processes')[];
}

async function trial(
  host: OciHost,
  {nodePath, runtimePaths}: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>,
): Promise<Outcome<Tried>> {
  const folder = await makeTrialFolder();
  const canaryPath = join(folder, 'canary');
  const profile = trialProfile(runtimePaths);
  try {
    await writeFile(canaryPath, 'canary');
    const script = trialScript({canaryPath, mark: bundleMark(host.runtime.backend)});
    const launched = await launchContainer({
      host,
      profile,
      program: {kind: 'command', argv: [nodePath, '-e', script]},
      cwd: '/tmp',
      network: undefined,
      view: undefined,
    });
    const {exitCode, printed, said} = await trialOutput(launched);
    if (exitCode !== 0) return failed(explainContainer(host.runtime, said));
    const facts = trialFacts(printed);
    if (facts === undefined) return failed(explainContainer(host.runtime, noTrialFacts));
    return ok({facts, environment: Object.keys(profile.env), grouped: launched.group?.enforces ?? []});
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

interface Versions {
  readonly runtime: string | undefined;
  readonly libseccomp: string | undefined;
}

async function versionOf({programPath, executor}: OciPrograms): Promise<Versions> {
  const {stdout} = await executor.run({
    command: programPath,
    args: ['--version'],
    cwd: '/',
    env: {},
    outputSink: {kind: 'capture', maxBytes: 4000},
    timeoutMs: versionMs,
  });
  return {
    runtime: /version (\S+)/.exec(stdout)?.[1],
    libseccomp: /libseccomp: (\S+)/.exec(stdout)?.[1],
  };
}

/** An old version may lack what calls need. */
function withVersion(problem: SandboxProblem, {runtime: {program}}: OciPrograms, {runtime}: Versions): SandboxProblem {
  if (runtime === undefined) return problem;
  return {...problem, message: problem.message.replace(`${program} `, `${program} ${runtime} `)};
}

function checkedBefore({runtime}: OciPrograms): SandboxProblem {
  return {
    message: `${runtime.program} mounts paths, so mounts are checked only before the start`,
    help: 'use `bubblewrap` 0.10 or later where calls run beside calls that write to the same folders',
  };
}

function unnamedCalls({runtime}: OciPrograms, libseccomp: string | undefined): SandboxProblem {
  const name = libseccomp === undefined ? 'libseccomp' : `libseccomp ${libseccomp}`;
  return {
    message: `${runtime.program} filters only the system calls that its ${name} has names for`,
    help: 'use `crun` or `gvisor`, which filter all of them',
  };
}
