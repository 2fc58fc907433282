// Tries what a virtual machine enforces on this machine: one is started with every protection, and a trial in it attempts escapes.
import {readFileSync, statSync} from 'node:fs';
import {rm, writeFile} from 'node:fs/promises';
import {release} from 'node:os';
import {join} from 'node:path';
import {makeTrialFolder} from '../backends/trial-folders.ts';
import type {AvailableReport} from '../backends/probe-report.ts';
import {tierOf} from '../backends/security-tier.ts';
import {captureOutput} from '../commands/capture-output.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {trialProfile, trialScript, type TrialFacts} from '../oci/container-trial.ts';
import {foundGuarantees} from '../oci/found-guarantees.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {GuestSystem} from './guest-system/build-guest-system.ts';
import {keptTrial, type VmTrial} from './kept-trial.ts';
import {startVm} from './start-vm.ts';
import type {VmHost} from './vm-host.ts';

const trialMs = 60_000;
const outputBytes = 64 * 1024;
/** In the command line of every machine. */
const mark = 'lumenflow-guests-';
/** bubblewrap sets it to the working directory. */
const ownVariable = 'PWD';

const isEmulated: SandboxProblem = {
  message: 'virtual machines run by software emulation: a start takes seconds, and programs run much slower',
  help: 'use `gvisor` where calls must be fast: it meets the profile `hardened` too',
};

export async function probeVm(host: VmHost, executor: CommandExecutor): Promise<Outcome<AvailableReport>> {
  const [version, system] = await Promise.all([versionOf(host, executor), host.system()]);
  if (!system.ok) return system;
  const tried = await keptTrial(trialKey(host, system.value, version), () => trial(host));
  if (!tried.ok) return tried;
  const {facts, grouped, environment} = tried.value;
  const guarantees = foundGuarantees(facts, {
    runtime: {filter: 'program'},
    environment,
    grouped: (['memory_bytes', 'processes'] as const).filter((limit) => grouped.includes(limit)),
  });
  return ok({
    available: true,
    backend: 'vm',
    tier: tierOf(guarantees),
    version: `QEMU ${version}, Linux ${host.kernel.release}, software emulation`,
    guarantees,
    gaps: [isEmulated],
  });
}

/** What the result depends on: all that takes part in a start, until this machine restarts. */
function trialKey(
  {kernel, programPath, bubblewrap, nodePath}: VmHost,
  system: GuestSystem,
  version: string,
): readonly string[] {
  const files = [kernel.imagePath, programPath, bubblewrap.bwrapPath, nodePath, process.execPath];
  return [
    version,
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
        profile: {
          profile,
          digest: '',
          workspaceRoot: '/tmp',
          watched: [],
          guarded: [],
          obeyed: [],
          hiddenRules: {literals: [], patterns: []},
          skipped: [],
        },
        program: {kind: 'command', argv: [host.nodePath, '-e', trialScript({canaryPath, mark})]},
      },
      host,
    );
    if (!started.ok) return started;
    const {stdout, stderr, ended, kill, grouped} = started.value;
    const timer = setTimeout(kill, trialMs);
    const [printed, said] = [stdout, stderr].map((stream) =>
      stream === undefined ? () => ({text: ''}) : captureOutput(stream, outputBytes),
    ) as [() => {text: string}, () => {text: string}];
    const {exitCode, startError} = await ended;
    clearTimeout(timer);
    if (exitCode !== 0) return failed(trialFailed(startError ?? said().text));
    return ok({
      facts: JSON.parse(printed().text) as TrialFacts,
      environment: [...Object.keys(profile.env), ownVariable],
      grouped,
    });
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function trialFailed(said: string): SandboxProblem {
  const first = said.trim().split('\n')[0] ?? '';
  return {
    message: `a trial in a virtual machine failed${first === '' ? '' : ` (\`${first}\`)`}`,
    help: 'choose another backend in `security.sandbox.backend`',
  };
}

async function versionOf({programPath}: VmHost, executor: CommandExecutor): Promise<string> {
  const {stdout} = await executor.run({
    command: programPath,
    args: ['--version'],
    cwd: '/',
    env: {},
    outputSink: {kind: 'capture', maxBytes: 1000},
    timeoutMs: trialMs,
  });
  return /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
}
