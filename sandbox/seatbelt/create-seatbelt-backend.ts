// macOS's default backend: each call under sandbox-exec, by a text made for it. Rules hold for the path that an
// operation arrives at, at the time it does: a symlink planted after the profile was compiled leads to what is closed.
import type {SandboxProfile} from '@lumenflow/schemas';
import {createCallScope} from '../backends/call-scope.ts';
import {refuseCall} from '../backends/refuse-call.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {ProbeReport, SandboxBackend, SandboxRequest, SandboxResult, Tier} from '../backends/sandbox-backend.ts';
import type {SandboxProblem} from '../backends/sandbox-problem.ts';
import {changedTrustedPaths} from '../calls/changed-trusted-paths.ts';
import {enforcementOf} from '../calls/enforcement-of.ts';
import {runCall, type CallFacts, type StartOptions, type StartedRunner} from '../calls/run-call.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {spawnProcess} from '../commands/spawn-process.ts';
import {allowlistPolicy} from '../network/allowlist-policy.ts';
import type {ResolveHost} from '../network/resolve-target.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {buildSbpl} from './build-sbpl.ts';
import {makeCallFolder, type CallFolder} from './call-folder.ts';
import {degradedItems} from './degraded-items.ts';
import {openNetworkBroker, type NetworkBroker} from './network-broker.ts';
import {probeSeatbelt} from './probe-seatbelt.ts';
import {ulimitCommand} from './ulimit-command.ts';

export interface SeatbeltOptions {
  readonly runner: RunnerProgram;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  readonly resolveHost: ResolveHost;
  /** Where each call gets a folder of its own. */
  readonly temporaryRoot: string;
  /** Absolute path of sandbox-exec. */
  readonly programPath: string;
}

const name = 'seatbelt';

export function createSeatbeltBackend(options: SeatbeltOptions): SandboxBackend {
  const calls = createCallScope();
  let probing: Promise<ProbeReport> | undefined;

  async function look(): Promise<ProbeReport> {
    probing ??= probeSeatbelt(options);
    const report = await probing;
    // It may be mended while we run.
    if (!report.available) probing = undefined;
    return report;
  }

  return {
    name,
    probe: look,
    execute: (request) =>
      calls.run(request.signal, async (signal) => {
        const report = await look();
        if (!report.available) return refuseCall(name, request, report.problem);
        return request.transaction === undefined
          ? executeInside({...request, signal}, options, report.tier)
          : refuseCall(name, request, noTransactions);
      }),
    close: () => calls.close(),
  };
}

const noTransactions: SandboxProblem = {
  message: 'the backend `seatbelt` cannot hold back what a call writes',
  help: 'call it without a transaction, or run it on Linux',
};

async function executeInside(request: SandboxRequest, options: SeatbeltOptions, tier: Tier): Promise<SandboxResult> {
  const {profile} = request.profile;
  const broker = await openBroker(profile, options.resolveHost);
  if (broker !== undefined && 'message' in broker) return refuseCall(name, request, broker);
  const folder = await makeCallFolder(options.temporaryRoot);
  try {
    const text = buildSbpl({
      compiled: request.profile,
      temporaryFolder: folder.temporaryFolder,
      ...(broker === undefined ? {} : {brokerPort: broker.port}),
    });
    if (typeof text !== 'string') return refuseCall(name, request, {message: text.problem, help: 'rename it'});
    await folder.write(text);
    const facts = await runCall(request, (timing) => start({request, options, folder, broker, timing}));
    const sums = await broker?.close();
    if (isSetUpFailure(facts)) return {...facts, ...refuseCall(name, request, setUpProblem(facts))};
    const degraded = [...degradedItems(profile), ...changedTrustedPaths(request.profile, options.files)];
    return {...facts, enforcement: {...enforcementOf(facts, request, {backend: name, tier, degraded}), ...sums}};
  } finally {
    // A second time this does nothing.
    await broker?.close();
    await folder.remove();
  }
}

async function openBroker(
  {network_posture, network_allowlist}: SandboxProfile,
  resolveHost: ResolveHost,
): Promise<NetworkBroker | SandboxProblem | undefined> {
  if (network_posture !== 'allowlist') return undefined;
  const policy = allowlistPolicy({entries: network_allowlist, resolveHost, carriesAllPorts: true});
  return 'message' in policy ? policy : openNetworkBroker(policy);
}

interface Start {
  readonly request: SandboxRequest;
  readonly options: SeatbeltOptions;
  readonly folder: CallFolder;
  readonly broker: NetworkBroker | undefined;
  readonly timing: StartOptions;
}

async function start({request, options, folder, broker, timing}: Start): Promise<StartedRunner> {
  const {profile, workspaceRoot} = request.profile;
  const command = ulimitCommand(options.runner.argv(profile), profile.limits);
  const started = await spawnProcess({
    ...timing,
    command: options.programPath,
    args: ['-f', folder.profilePath, ...command],
    cwd: workspaceRoot,
    env: {...(profile.env as Record<string, string>), ...folder.env, ...broker?.env},
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, wire] = started.pipes;
  return {
    wire: wire ?? undefined,
    stdout: stdout ?? undefined,
    stderr: stderr ?? undefined,
    ended: started.ended,
    meter: undefined,
    isHarmless: false,
    endReason: () => started.endReason(),
    kill: () => started.kill(),
  };
}

/** sandbox-exec's own words, and not one message from inside. */
function isSetUpFailure({output, stderr}: CallFacts): boolean {
  return output.error?.code === 'TOOL_CRASHED' && stderr.startsWith('sandbox-exec: ');
}

function setUpProblem({stderr}: CallFacts): SandboxProblem {
  return {
    message: `sandbox-exec could not set up the sandbox (\`${stderr.trim().split('\n')[0] ?? ''}\`)`,
    help: 'run `lumenflow sandbox doctor` for what is missing',
  };
}
