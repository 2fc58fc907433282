// One call from its start to its result, for every backend whose runner is a process with a wire.
import type {Duplex, Readable} from 'node:stream';
import {setImmediate as turn} from 'node:timers/promises';
import type {ResourceLimits} from '@lumenflow/schemas';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-backend.ts';
import {captureOutput, type BoundedOutput} from '../commands/bounded-output.ts';
import type {EndReason, Supervision} from '../commands/process-guard.ts';
import type {ProcessEnd} from '../commands/spawn-process.ts';
import type {Meter} from '../limits/meter.ts';
import {watchUsage, type UsageWatch} from '../limits/watch-usage.ts';
import {outputOf, ranOutOfMemory, timeoutText, type Outcome} from './call-output.ts';
import {converse, type Conversation, type Verdict} from './converse.ts';

/** A runner that was started, by whatever means. */
export interface StartedRunner {
  readonly wire: Duplex | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  readonly ended: Promise<ProcessEnd>;
  /** Undefined where usage cannot be measured. */
  readonly meter: Meter | undefined;
  /** Of one that was started before the call: what it had used when it was last looked at. */
  readonly earlierCpuMs?: number;
  /** Whether nothing that it does while it is being killed reaches anything outside: then its end is not awaited. */
  readonly isHarmless: boolean;
  endReason(): EndReason | undefined;
  kill(): void;
  /** Once it gave its result, in place of `kill`: it is to serve another call. */
  readonly keep?: () => void;
}

export interface StartOptions extends Supervision {
  readonly onPid?: (pid: number) => void;
}

export type CallFacts = Omit<SandboxResult, 'enforcement'>;

const outputBytesDefault = 1024 * 1024;
/** For a handler to clean up after a cancel, before all is killed. */
const killGraceMs = 250;

/** `start` brings up the runner under the given supervision. */
export async function runCall(
  request: SandboxRequest,
  start: (options: StartOptions) => Promise<StartedRunner>,
): Promise<CallFacts> {
  const startedAt = performance.now();
  let conversation: Conversation | undefined;
  const runner = await start({
    timeoutMs: request.wallMs,
    ...(request.signal === undefined ? {} : {signal: request.signal}),
    killGraceMs,
    askToEnd: (reason) => conversation?.cancel(reason === 'timeout' ? timeoutText(request) : 'the call was cancelled'),
    ...(request.onPid === undefined ? {} : {onPid: request.onPid}),
  });
  const {limits} = request.profile.profile;
  const watch = watchOver(runner, limits);
  const over = new AbortController();
  const maxBytes = limits.output_bytes ?? outputBytesDefault;
  const stdout = capture(runner.stdout, maxBytes, over.signal);
  const stderr = capture(runner.stderr, maxBytes, over.signal);
  let verdict: Verdict = {kind: 'silent'};
  if (runner.wire !== undefined) {
    conversation = open(runner, request);
    verdict = await conversation.verdict;
  }
  const ended = await finish(runner, verdict, watch);
  over.abort();
  const durationMs = performance.now() - startedAt;
  return factsOf({
    request,
    ended: {...ended, durationMs},
    verdict,
    stdout: stdout(),
    stderr: stderr(),
    ...watch?.stop(),
  });
}

function watchOver(runner: StartedRunner, limits: ResourceLimits): UsageWatch | undefined {
  return (
    runner.meter && watchUsage({meter: runner.meter, limits, kill: runner.kill, earlierCpuMs: runner.earlierCpuMs})
  );
}

function open(runner: StartedRunner, {invocation, onMessage}: SandboxRequest): Conversation {
  try {
    return converse(runner.wire as Duplex, invocation, onMessage);
  } catch (error) {
    runner.kill();
    const problem = error instanceof Error ? error.message : String(error);
    return {verdict: Promise.resolve({kind: 'garbled', problem}), cancel: () => undefined};
  }
}

/** A runner that gave its result has nothing more to do; one that talks nonsense is not waited for. */
async function finish(
  runner: StartedRunner,
  verdict: Verdict,
  watch: UsageWatch | undefined,
): Promise<Omit<ProcessEnd, 'durationMs'>> {
  if (verdict.kind === 'output' && runner.endReason() === undefined) {
    // What the handler printed before its result lies in the pipes by now: one turn of the loop reads it.
    await turn();
    watch?.stop();
    if (runner.keep === undefined) runner.kill();
    else runner.keep();
    if (runner.keep === undefined && !runner.isHarmless) await runner.ended;
    return {exitCode: 0, timedOut: false, aborted: false};
  }
  if (verdict.kind !== 'silent') runner.kill();
  const ended = await runner.ended;
  watch?.stop();
  return ended;
}

function capture(stream: Readable | undefined, maxBytes: number, until: AbortSignal): () => BoundedOutput {
  return stream === undefined ? () => ({text: '', truncated: false}) : captureOutput(stream, maxBytes, until);
}

function factsOf(outcome: Outcome): CallFacts {
  const {ended, stdout, stderr, usage} = outcome;
  return {
    output: outputOf(outcome),
    exitCode: ended.exitCode,
    ...(ended.signal === undefined ? {} : {signal: ended.signal}),
    timedOut: ended.timedOut,
    aborted: ended.aborted,
    truncated: stdout.truncated || stderr.truncated,
    oom: ranOutOfMemory(outcome),
    stdout: stdout.text,
    stderr: stderr.text,
    durationMs: ended.durationMs,
    ...(usage === undefined ? {} : {peakMemoryBytes: usage.peakMemoryBytes, cpuMs: usage.cpuMs}),
  };
}
