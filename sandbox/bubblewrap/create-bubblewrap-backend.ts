// Linux's default backend: a bubblewrap sandbox for each call.
import {createCallScope, type CallScope} from '../backends/call-scope.ts';
import {refuseCall} from '../backends/refuse-call.ts';
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxBackend, SandboxRequest, SandboxResult} from '../backends/sandbox-backend.ts';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import {changedTrustedPaths} from '../calls/changed-trusted-paths.ts';
import {enforcementOf} from '../calls/enforcement-of.ts';
import {runCall, type StartedRunner} from '../calls/run-call.ts';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {changesNothing, writesNothing} from '../profile/changes-nothing.ts';
import type {HostFiles} from '../profile/host-files.ts';
import {createSelfTest, type SelfTest} from '../self-test/create-self-test.ts';
import {createWarmPool, type WarmPool} from '../warm-pool/create-warm-pool.ts';
import type {Spare} from '../warm-pool/spare.ts';
import type {WarmPoolLimits} from '../warm-pool/stock.ts';
import {spareKey, type HostUser, type SpareKey} from '../warm-pool/spare-key.ts';
import {degradedItems} from './degraded-items.ts';
import {explainFailure} from './explain-failure.ts';
import {probeBubblewrap, type BubblewrapProbe} from './probe-bubblewrap.ts';
import {runTrial} from './run-trial.ts';
import {openSurroundings} from './open-surroundings.ts';
import type {RunnerStart} from './start-runner.ts';
import {startSpare, startSurrounded} from './start-surrounded.ts';
import {tryAllowlist} from './try-allowlist.ts';

export interface BubblewrapOptions {
  readonly runner: RunnerProgram;
  /** Where bwrap is looked for, written as PATH is. */
  readonly searchPath: string;
  readonly executor: CommandExecutor;
  readonly files: HostFiles;
  readonly network: SandboxNetwork;
  /** Without it every start is cold. */
  readonly warm?: WarmPoolLimits;
}

/** All that a call is run with. */
interface Place extends BubblewrapOptions {
  readonly probe: Extract<BubblewrapProbe, {readonly kind: 'ready'}>;
  readonly pool: WarmPool | undefined;
  readonly calls: CallScope;
  readonly selfTest: SelfTest;
}

const name = 'bubblewrap';

export function createBubblewrapBackend(options: BubblewrapOptions): SandboxBackend {
  const calls = createCallScope();
  const selfTest = createSelfTest();
  const pool = options.warm && createWarmPool(options.warm, () => performance.now());
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
    holdsWrites: true,
    async probe({isQuick = false} = {}) {
      const probe = await look();
      if (probe.kind === 'unavailable') return {available: false, backend: name, problem: probe.problem};
      if (isQuick) return probe.report;
      // Both are the same sockets in the same kind of namespace.
      const held = (await tryAllowlist({...options, probe})) === undefined ? 'enforced' : 'unsupported';
      return {...probe.report, guarantees: {...probe.report.guarantees, network_allowlist: held, network_full: held}};
    },
    execute: (request) =>
      calls.run(request.signal, async (signal) => {
        const probe = await look();
        if (probe.kind === 'unavailable') return refuseCall(name, request, probe.problem);
        return executeInside({...request, signal}, {...options, probe, pool, calls, selfTest});
      }),
    ...(pool === undefined ? {} : {warmPool: () => pool.counters()}),
    async close() {
      await Promise.all([calls.close(), pool?.close()]);
    },
  };
}

async function executeInside(request: SandboxRequest, place: Place): Promise<SandboxResult> {
  const tested = await place.selfTest.passed(request.profile, (argv) => runTrial(argv, request.profile, place));
  if ('message' in tested) return refuseCall(name, request, tested);
  const key = place.pool && spareKey(request, currentUser());
  const spare = key && place.pool?.take(key);
  const ran = spare === undefined ? await runCold(request, place, key) : await runWarm(spare, request, place, key);
  const isHeld = ran.enforcement.tier !== 'none';
  const result = isHeld ? {...ran, enforcement: {...ran.enforcement, self_test: tested.digest}} : ran;
  // A sandbox that is kept for its task serves that task alone, so there is nothing to start in advance.
  if (key !== undefined && request.warm?.reuseForTask === undefined) {
    place.pool?.restock(key, () => startSpare(spareStart(request, place), place));
  }
  return result;
}

/** A host may give up its rights while it runs; what it started before had them. */
function currentUser(): HostUser {
  return {uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0};
}

/**
 * Code of a pack runs ahead of its call only where it can change nothing: elsewhere a spare waits with Node alone.
 * A spare's network lets nothing through.
 */
function spareStart(request: SandboxRequest, place: Place): RunnerStart {
  const start = {...place, profile: request.profile};
  return writesNothing(request.profile.profile) ? {...start, handlerEntry: request.invocation.handler_entry} : start;
}

async function runWarm(spare: Spare, request: SandboxRequest, place: Place, key?: SpareKey): Promise<SandboxResult> {
  const ran = await runIn(spare, request, place, key);
  const start = spare.served === 0 ? ({start: 'warm'} as const) : ({start: 'reused', reused: spare.served} as const);
  return {...ran, enforcement: {...ran.enforcement, ...start}};
}

async function runCold(request: SandboxRequest, place: Place, key?: SpareKey): Promise<SandboxResult> {
  const around = await openSurroundings(request, place);
  if ('message' in around) return refuseCall(name, request, around);
  around.network?.begin();
  const {profile, signal} = request;
  const runner = await startSurrounded({...place, profile}, around, signal === undefined ? {} : {signal});
  const ran = await runIn({runner, served: 0, cpuMs: 0}, request, place, key);
  return isSetUpFailure(ran) ? {...ran, ...refuseCall(name, request, explainFailure(ran.stderr))} : ran;
}

type Taken = Pick<Spare, 'runner' | 'served' | 'cpuMs'>;

async function runIn(taken: Taken, request: SandboxRequest, place: Place, key?: SpareKey): Promise<SandboxResult> {
  const {runner} = taken;
  const facts = await runCall(request, async ({onPid, ...supervision}) => {
    runner.supervise(supervision);
    if (runner.pid !== undefined) onPid?.(runner.pid);
    return serving(taken, request, place, key);
  });
  const network = await runner.closeNetwork();
  const degraded = [
    ...degradedItems({unenforced: runner.unenforced, host: place.probe.host}),
    ...runner.degraded,
    ...changedTrustedPaths(request.profile, place.files),
  ];
  return {
    ...facts,
    enforcement: {...enforcementOf(facts, request, {degraded, ...place.probe.report}), ...network},
  };
}

/** The runner as a call has it: what becomes of it after the result is settled here. */
function serving(
  {runner, served, cpuMs}: Taken,
  {profile, warm}: SandboxRequest,
  {pool, calls}: Place,
  key?: SpareKey,
): StartedRunner {
  // What a call leaves in the background works on where it is kept: it must have nothing that it could change.
  const isKept = key !== undefined && warm?.reuseForTask !== undefined && changesNothing(profile.profile);
  if (!isKept) calls.linger(runner.ended);
  return {
    ...runner,
    earlierCpuMs: cpuMs,
    // Its network is closed before its result is told.
    isHarmless: writesNothing(profile.profile),
    ...(isKept ? {keep: () => pool?.keep(key, runner, served + 1)} : {}),
  };
}

/** bwrap's own words and exit code, and not one message from inside. */
function isSetUpFailure({output, exitCode, stderr}: SandboxResult): boolean {
  return output.error?.code === 'TOOL_CRASHED' && exitCode === 1 && stderr.startsWith('bwrap: ');
}
