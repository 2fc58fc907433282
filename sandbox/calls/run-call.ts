// One call from its start to its result, for every backend whose runner is a process with a wire.
import type {Duplex, Readable} from 'node:stream';
import {setTimeout as delay} from 'node:timers/promises';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import type {SandboxRequest, SandboxResult} from '../backends/sandbox-backend.ts';
import {captureOutput, type BoundedOutput} from '../commands/bounded-output.ts';
import type {EndReason, ProcessEnd} from '../commands/spawn-process.ts';
import {converse, type Conversation, type Verdict} from './converse.ts';

/** A runner that was started, by whatever means. */
export interface StartedRunner {
  readonly wire: Duplex | undefined;
  readonly stdout: Readable | undefined;
  readonly stderr: Readable | undefined;
  readonly ended: Promise<ProcessEnd>;
  kill(): void;
}

export interface StartOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly killGraceMs: number;
  readonly askToEnd: (reason: EndReason) => void;
  readonly onPid?: (pid: number) => void;
}

export type CallFacts = Omit<SandboxResult, 'enforcement'>;

const outputBytesDefault = 1024 * 1024;
/** For a handler to clean up after a cancel, before all is killed. */
const killGraceMs = 250;
/** For a runner to exit by itself after its result. */
const exitGraceMs = 250;

/** `start` brings up the runner under the given supervision. */
export async function runCall(
  request: SandboxRequest,
  start: (options: StartOptions) => Promise<StartedRunner>,
): Promise<CallFacts> {
  let conversation: Conversation | undefined;
  const runner = await start({
    timeoutMs: request.wallMs,
    ...(request.signal === undefined ? {} : {signal: request.signal}),
    killGraceMs,
    askToEnd: (reason) => conversation?.cancel(reason === 'timeout' ? timeoutText(request) : 'the call was cancelled'),
    ...(request.onPid === undefined ? {} : {onPid: request.onPid}),
  });
  const maxBytes = request.profile.profile.limits.output_bytes ?? outputBytesDefault;
  const stdout = capture(runner.stdout, maxBytes);
  const stderr = capture(runner.stderr, maxBytes);
  let verdict: Verdict = {kind: 'silent'};
  if (runner.wire !== undefined) {
    conversation = open(runner, request);
    verdict = await conversation.verdict;
    await letExit(runner, verdict);
  }
  return factsOf({request, ended: await runner.ended, verdict, stdout: stdout(), stderr: stderr()});
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

/** A runner that was heard to its end has nothing more to do; one that talks nonsense is not waited for. */
async function letExit(runner: StartedRunner, verdict: Verdict): Promise<void> {
  if (verdict.kind === 'silent') return;
  if (verdict.kind === 'output') await Promise.race([runner.ended, delay(exitGraceMs)]);
  runner.kill();
}

function capture(stream: Readable | undefined, maxBytes: number): () => BoundedOutput {
  return stream === undefined ? () => ({text: '', truncated: false}) : captureOutput(stream, maxBytes);
}

interface Outcome {
  readonly request: SandboxRequest;
  readonly ended: ProcessEnd;
  readonly verdict: Verdict;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

function factsOf(outcome: Outcome): CallFacts {
  const {ended, stdout, stderr} = outcome;
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
  };
}

function outputOf(outcome: Outcome): ToolOutput {
  const {request, ended, verdict, stderr} = outcome;
  if (ended.timedOut) return failed({code: 'TOOL_TIMEOUT', message: timeoutText(request)});
  if (ended.aborted)
    return failed({code: 'TOOL_CANCELLED', message: `\`${request.invocation.tool_name}\` was cancelled`});
  if (verdict.kind === 'output') return verdict.output;
  const details = {
    exit_code: ended.exitCode,
    ...(ended.signal === undefined ? {} : {signal: ended.signal}),
    stderr: stderr.text.slice(-2000),
  };
  return failed({code: 'TOOL_CRASHED', message: `${crashText(outcome)} before it gave a result`, details});
}

function crashText(outcome: Outcome): string {
  const {request, ended, verdict} = outcome;
  const tool = `\`${request.invocation.tool_name}\``;
  if (verdict.kind === 'garbled') return `${tool} broke the protocol (${verdict.problem})`;
  if (ended.startError !== undefined) return `${tool} could not be started (${ended.startError})`;
  if (ranOutOfMemory(outcome)) return `${tool} ran out of memory`;
  return `${tool} ended with ${ended.signal ?? `exit code ${ended.exitCode}`}`;
}

/** V8 aborts with this line when its heap is full. */
function ranOutOfMemory({ended, verdict, stderr}: Outcome): boolean {
  return verdict.kind !== 'output' && ended.exitCode === 134 && stderr.text.includes('heap out of memory');
}

function timeoutText({invocation, wallMs}: SandboxRequest): string {
  return `\`${invocation.tool_name}\` did not finish within ${wallMs} ms`;
}

function failed(error: ToolFailure): ToolOutput {
  return {success: false, error};
}
