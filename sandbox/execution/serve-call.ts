// Serves one call with a runner, and decides what happens to the runner afterwards.
import type {Readable} from 'node:stream';
import type {ToolOutput} from '@lumenflow/schemas';
import type {SandboxProblem} from '../sandbox-problem.ts';
import type {RunnerEnd} from '../backends/sandbox-backend.ts';
import type {CallFacts, SandboxRequest} from '../backends/sandbox-call.ts';
import type {Usage} from '../limits/meter.ts';
import type {NetworkReport} from '../network/call-network.ts';
import type {LastingTurn} from '../lasting/create-lasting-runners.ts';
import {reportSince} from '../network/report-since.ts';
import {changesNothing, writesNothing} from '../profile/changes-nothing.ts';
import type {SpareKey} from '../warm-pool/spare-key.ts';
import type {ExecutorContext} from './executor-context.ts';
import {runConversation} from './run-conversation.ts';
import type {AcquiredRunner} from './acquired-runner.ts';

export interface ServedCall {
  readonly facts: CallFacts;
  /** What it allowed and refused; undefined without a network. */
  readonly network: NetworkReport | undefined;
  /** Why the sandbox was not set up after all. Nothing of the call has run then. */
  readonly setUpProblem: SandboxProblem | undefined;
}

type ServingCall = AcquiredRunner & {
  readonly key: SpareKey | undefined;
  /** Of a sandbox that lasts. */
  readonly turn: LastingTurn | undefined;
};

export async function serveCall(
  request: SandboxRequest,
  acquired: ServingCall,
  context: ExecutorContext,
): Promise<ServedCall> {
  const {runner, earlierCpuMs, turn} = acquired;
  const {backend} = context;
  if (runner.pid !== undefined) request.onPid?.(runner.pid);
  let end: RunnerEnd | undefined;
  void runner.ended.then((ended) => (end = ended));
  const facts = await runConversation(runner, request, {
    earlierCpuMs,
    release: releaseAfter(request, acquired, context),
    canContinue: turn !== undefined,
    isLoaded: acquired.served > 0,
  });
  // A sandbox that was itself ended by a signal may leave processes running for a moment.
  if (backend.capabilities.killsAtOnce && end !== undefined && end.signal === undefined)
    request.transaction?.callEnded?.();
  const network = await networkReport(acquired, end);
  const setUpProblem = facts.output.error?.code === 'TOOL_CRASHED' ? runner.setUpProblem(facts) : undefined;
  return {facts, network, setUpProblem};
}

/** Of this call alone, if its sandbox serves others too. */
async function networkReport(
  {runner, turn}: ServingCall,
  end: RunnerEnd | undefined,
): Promise<NetworkReport | undefined> {
  const isKept = turn?.isKept() === true && end === undefined;
  const report = isKept ? runner.network?.report() : await runner.closeNetwork();
  return report && reportSince(turn?.reported, report);
}

/** A call waits for the end of its runner where that could still change something. */
function releaseAfter(
  {profile, warm, transaction}: SandboxRequest,
  {runner, served, key, turn, earlierCpuMs}: ServingCall,
  {backend, pool, calls}: ExecutorContext,
): (output: ToolOutput, usage: Usage | undefined) => Promise<unknown> {
  if (turn !== undefined) {
    return async (output, usage) => {
      turn.keep(runner, output, usage && {...usage, cpuMs: earlierCpuMs + usage.cpuMs});
      if (!turn.isKept()) calls.linger(runner.ended);
    };
  }
  const {killsAtOnce, network, printsLate = false} = backend.capabilities;
  // What a call leaves in the background works on where it is kept: it must have nothing that it could change.
  if (key !== undefined && warm?.reuseForTask !== undefined && changesNothing(profile.profile) && !printsLate) {
    return async () => pool?.keep(key, runner, served + 1);
  }
  calls.linger(runner.ended);
  // The host closes its network before the result is returned, unless the network is that of another machine. The writes that it
  // requested from the host are inspected once it has ended.
  const isQuiet = network === undefined ? changesNothing(profile.profile) : writesNothing(profile.profile);
  const isHarmless = transaction === undefined && killsAtOnce && isQuiet;
  return async () => {
    runner.kill();
    if (!isHarmless || printsLate) await runner.ended;
    if (printsLate) await Promise.all([whenRead(runner.stdout), whenRead(runner.stderr)]);
  };
}

/** Nothing writes to it any more. */
async function whenRead(stream: Readable | undefined): Promise<void> {
  if (stream?.closed === false) await new Promise((resolve) => stream.once('close', resolve));
}
