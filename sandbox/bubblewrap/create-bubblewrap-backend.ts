// Linux's default backend: a bubblewrap sandbox for each call.
import type {Enforcement} from '@lumenflow/schemas';
import {createCallScope} from '../backends/call-scope.ts';
import {refuseCall} from '../backends/refuse-call.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend, SandboxRequest, SandboxResult} from '../backends/sandbox-backend.ts';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import {changedTrustedPaths} from '../calls/changed-trusted-paths.ts';
import {runCall, type CallFacts} from '../calls/run-call.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {degradedItems} from './degraded-items.ts';
import {explainFailure} from './explain-failure.ts';
import {launchBubblewrap} from './launch.ts';
import {probeBubblewrap, type BubblewrapProbe} from './probe-bubblewrap.ts';
import {openMountSources} from './open-mount-sources.ts';
import {recheckOverlays} from './recheck-overlays.ts';
import {tryAllowlist} from './try-allowlist.ts';

export interface BubblewrapOptions {
  readonly runner: RunnerProgram;
  /** Where bwrap is looked for, written as PATH is. */
  readonly searchPath: string;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  readonly network: SandboxNetwork;
}

type Ready = Extract<BubblewrapProbe, {readonly kind: 'ready'}>;

const name = 'bubblewrap';

export function createBubblewrapBackend(options: BubblewrapOptions): SandboxBackend {
  const calls = createCallScope();
  let probing: Promise<BubblewrapProbe> | undefined;

  async function look(): Promise<BubblewrapProbe> {
    probing ??= probeBubblewrap(options.searchPath, options.executor);
    const probe = await probing;
    // What is missing may be installed while we run.
    if (probe.kind === 'unavailable') probing = undefined;
    return probe;
  }

  return {
    name,
    async probe() {
      const probe = await look();
      if (probe.kind === 'unavailable') return {available: false, backend: name, problem: probe.problem};
      const network_allowlist = (await tryAllowlist({...options, probe})) === undefined ? 'enforced' : 'unsupported';
      return {...probe.report, guarantees: {...probe.report.guarantees, network_allowlist}};
    },
    execute: (request) =>
      calls.run(request.signal, async (signal) => {
        const probe = await look();
        if (probe.kind === 'unavailable') return refuseCall(name, request, probe.problem);
        return executeInside(probe, {...request, signal}, options);
      }),
    close: () => calls.close(),
  };
}

async function executeInside(
  probe: Ready,
  request: SandboxRequest,
  options: BubblewrapOptions,
): Promise<SandboxResult> {
  const {profile} = request.profile;
  const network =
    profile.network_posture === 'allowlist' ? await options.network.open(profile.network_allowlist) : undefined;
  if (network !== undefined && 'message' in network) return refuseCall(name, request, network);
  const sources = recheckOverlays(profile, options.files) ?? openMountSources(profile);
  if (typeof sources === 'string') {
    await network?.close();
    const message = `a mount changed before the start: ${sources}`;
    return refuseCall(name, request, {message, help: 'call again', retryable: true});
  }
  let unenforced: readonly string[] = [];
  const facts = await runCall(request, async (supervision) => {
    const launched = await launchBubblewrap({
      ...supervision,
      host: probe.host,
      filter: probe.filter,
      profile,
      sources,
      argv: options.runner.argv(profile.limits),
      cwd: request.profile.workspaceRoot,
      ...(network === undefined ? {} : {enterNetwork: network.enter}),
      output: 'pipe',
      withWire: true,
    }).finally(() => sources.close());
    ({unenforced} = launched);
    return launched;
  });
  const report = await network?.close();
  if (isSetUpFailure(facts)) return {...facts, ...refuseCall(name, request, explainFailure(facts.stderr))};
  const degraded = [
    ...degradedItems({profile, unenforced, host: probe.host}),
    ...(network?.degraded ?? []),
    ...changedTrustedPaths(request.profile, options.files),
  ];
  return {...facts, enforcement: {...enforcementOf(facts, request, degraded), ...report}};
}

/** bwrap's own words and exit code, and not one message from inside. */
function isSetUpFailure({output, exitCode, stderr}: CallFacts): boolean {
  return output.error?.code === 'TOOL_CRASHED' && exitCode === 1 && stderr.startsWith('bwrap: ');
}

function enforcementOf(facts: CallFacts, request: SandboxRequest, degraded: readonly string[]): Enforcement {
  return {
    backend: name,
    tier: 'standard',
    profile_digest: request.profile.digest,
    degraded: [...degraded],
    start: 'cold',
    ...(facts.exitCode === undefined ? {} : {exit_code: facts.exitCode}),
    ...(facts.signal === undefined ? {} : {exit_signal: facts.signal}),
  };
}
