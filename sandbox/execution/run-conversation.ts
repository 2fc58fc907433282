// The conversation of one call with its runner, from the invocation to the result, within its time, its cancellation and its
// limits.
import {setImmediate as turn} from 'node:timers/promises';
import type {Readable} from 'node:stream';
import type {CallFacts, SandboxRequest} from '../backends/sandbox-call.ts';
import type {RunnerEnd, StartedRunner} from '../backends/sandbox-backend.ts';
import {captureOutput, type BoundedOutput} from '../commands/capture-output.ts';
import type {Usage} from '../limits/meter.ts';
import {watchUsage, type UsageWatch} from '../limits/watch-usage.ts';
import {callFacts} from './call-facts.ts';
import {timeoutText} from './call-output.ts';
import type {ToolOutput} from '@lumenflow/schemas';
import {converse, type Conversation, type Verdict} from './converse.ts';
import {superviseRunner, type RunnerSupervisor} from './supervise-runner.ts';

export interface ConversationOptions {
  /** Used by the runner before the call. */
  readonly earlierCpuMs: number;
  /** What happens to a runner after its result. Resolves once the call need not wait for it any longer. */
  readonly release: (output: ToolOutput, usage: Usage | undefined) => Promise<unknown>;
  /** Whether the runner can be used further after a call that was cancelled, or ran out of time, and ended at that. */
  readonly canContinue: boolean;
  /** Whether an earlier call of the runner has imported the module. */
  readonly isLoaded: boolean;
}

const outputBytesDefault = 1024 * 1024;
/** Time for a handler to clean up after a cancel, before everything is killed. */
const killGraceMs = 250;

export async function runConversation(
  runner: StartedRunner,
  request: SandboxRequest,
  {earlierCpuMs, release, canContinue, isLoaded}: ConversationOptions,
): Promise<CallFacts> {
  const startedAt = performance.now();
  let conversation: Conversation | undefined;
  const supervisor = superviseRunner(runner, {
    timeoutMs: request.wallMs,
    signal: request.signal,
    graceMs: killGraceMs,
    askToEnd: (reason) =>
      conversation?.cancel(reason === 'timeout' ? timeoutText(request, true) : 'the call was cancelled'),
  });
  const {limits} = request.profile.profile;
  const watch = runner.meter && watchUsage({meter: runner.meter, limits, kill: () => runner.kill(), earlierCpuMs});
  const over = new AbortController();
  const [stdout, stderr] = [runner.stdout, runner.stderr].map((stream) =>
    capture(stream, limits.output_bytes ?? outputBytesDefault, over.signal),
  ) as [() => BoundedOutput, () => BoundedOutput];
  if (supervisor.endReason() === undefined) conversation = open(runner, request);
  else runner.kill();
  const verdict: Verdict = (await conversation?.verdict) ?? {kind: 'silent'};
  const ended = await finish(runner, {verdict, watch, supervisor, release, canContinue});
  supervisor.release();
  // Without a reason, an error with a stack would be made.
  over.abort('over');
  return callFacts({
    request,
    ended: {...ended, durationMs: performance.now() - startedAt},
    verdict,
    isLoaded: isLoaded || conversation?.isLoaded() === true,
    stdout: stdout(),
    stderr: stderr(),
    ...watch?.stop(),
  });
}

/** A runner without a wire has not started and sends nothing. */
function open(runner: StartedRunner, {invocation, onMessage}: SandboxRequest): Conversation {
  if (runner.wire === undefined) return notStarted({kind: 'silent'});
  try {
    return converse(runner.wire, invocation, onMessage);
  } catch (error) {
    runner.kill();
    const problem = error instanceof Error ? error.message : String(error);
    return notStarted({kind: 'garbled', problem});
  }
}

function notStarted(verdict: Verdict): Conversation {
  return {verdict: Promise.resolve(verdict), isLoaded: () => false, cancel: () => undefined};
}

interface Ending extends Pick<ConversationOptions, 'release' | 'canContinue'> {
  readonly verdict: Verdict;
  readonly watch: UsageWatch | undefined;
  readonly supervisor: RunnerSupervisor;
}

type CallEnd = RunnerEnd & {
  readonly timedOut: boolean;
  readonly aborted: boolean;
};

/** A runner that gave its result has nothing more to do; one that breaks the protocol is not waited for. */
async function finish(
  runner: StartedRunner,
  {verdict, watch, supervisor, release, canContinue}: Ending,
): Promise<CallEnd> {
  const reason = supervisor.endReason();
  if (verdict.kind === 'output' && (reason === undefined || (canContinue && !supervisor.hasKilled()))) {
    // The output that the handler printed before its result is in the pipes, but perhaps not in the batch of events that
    // contained the result. The second turn follows a poll of the pipes that began after the result.
    await turn();
    await turn();
    const measured = watch?.stop();
    supervisor.release();
    await release(verdict.output, measured?.usage);
    return {exitCode: reportedExit(verdict.output), timedOut: reason === 'timeout', aborted: reason === 'abort'};
  }
  if (verdict.kind !== 'silent') runner.kill();
  const ended = await runner.ended;
  watch?.stop();
  const why = supervisor.endReason();
  return {...ended, timedOut: why === 'timeout', aborted: why === 'abort'};
}

function capture(stream: Readable | undefined, maxBytes: number, until: AbortSignal): () => BoundedOutput {
  return stream === undefined ? () => ({text: '', truncated: false}) : captureOutput(stream, maxBytes, until);
}

/** A runner reports an exit of its handler as it ends; otherwise it is stopped after its result. */
function reportedExit({error}: ToolOutput): number {
  const code = error?.code === 'TOOL_CRASHED' ? error.details?.['exit_code'] : undefined;
  return typeof code === 'number' ? code : 0;
}
