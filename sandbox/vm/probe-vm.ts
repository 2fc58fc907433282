// Tries what a virtual machine enforces on this machine: one is started with every protection, and a trial in it attempts escapes.
import {readFileSync, statSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {release} from 'node:os';
import {join} from 'node:path';
import {keptTrial} from '../backends/kept-trial.ts';
import {makeTrialFolder} from '../backends/trial-folders.ts';
import {trialOutput} from '../backends/trial-output.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import {tierOf} from '../backends/security-tier.ts';
import {trialProfile, trialScript, type TrialFacts} from '../oci/container-trial.ts';
import {noTrialFacts, trialFacts} from '../oci/trial-facts.ts';
import {foundGuarantees} from '../oci/found-guarantees.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import type {GuestSystem} from './guest-system/build-guest-system.ts';
import {startVm} from './start-vm.ts';
import type {VmHost} from './vm-host.ts';

/** On a machine that is busy. */
const trialMs = 180_000;
/** In the command line of every machine. */
const mark = 'lumenflow-guests-';
/** bubblewrap sets it to the working directory. */
const ownVariable = 'PWD';

interface VmTrial {
  readonly facts: TrialFacts;
  /** Names of the variables that the trial may have had. */
  readonly environment: readonly string[];
  /** Limits that the guest's kernel enforces for a program as a whole. */
  readonly grouped: readonly string[];
}

export async function probeVm(host: VmHost): Promise<Outcome<AvailableReport>> {
  const {hypervisor, kernel} = host;
  const system = await host.system();
  if (!system.ok) return system;
  const tried = await keptTrial({key: trialKey(host, system.value), run: () => trial(host)});
  if (!tried.ok) return tried;
  const {facts, grouped, environment} = tried.value;
  const guarantees = foundGuarantees(facts, {
    runtime: {filter: 'program'},
    environment,
    grouped: (['memory_bytes', 'processes'] as const).filter((limit) => grouped.includes(limit)),
  });
  return ok({
    available: true,
    backend: hypervisor.backend,
    tier: tierOf(guarantees),
    version: `${hypervisor.version}, Linux ${kernel.release}`,
    guarantees,
    gaps: hypervisor.gaps,
  });
}

/** What the result depends on: all that takes part in a start, until this machine restarts. */
function trialKey({hypervisor, nodePath}: VmHost, system: GuestSystem): readonly string[] {
  const files = [...hypervisor.files, nodePath, process.execPath];
  return [
    hypervisor.version,
    release(),
    readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'),
    ...Object.values(system),
    ...files.map((path) => `${path} ${statSync(path).mtimeMs}`),
  ];
}

async function trial(host: VmHost): Promise<Outcome<VmTrial>> {
  const folder = await makeTrialFolder();
  const canaryPath = join(folder, 'canary');
  const profile = trialProfile([]);
  try {
    await writeFile(canaryPath, 'canary');
    const started = await startVm(
      {
        profile: uncheckedProfile(profile),
        program: {kind: 'command', argv: [host.nodePath, '-e', trialScript({canaryPath, mark})]},
      },
      host,
    );
    if (!started.ok) return started;
    const {exitCode, printed, said} = await trialOutput(started.value, trialMs);
    if (exitCode !== 0) return failed(trialFailed(said));
    const facts = trialFacts(printed);
    if (facts === undefined) return failed(trialFailed(noTrialFacts));
    return ok({
      facts,
      environment: [...Object.keys(profile.env), ownVariable],
      grouped: started.value.grouped,
    });
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function trialFailed(said: string): SandboxProblem {
  return {
    message: `a trial in a virtual machine failed${said === '' ? '' : ` (\`${said}\`)`}`,
    help: 'choose another backend in `security.sandbox.backend`',
  };
}
