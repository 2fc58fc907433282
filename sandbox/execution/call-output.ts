// What a call's end means for its caller: the handler's output, or a failure that names the limit it met.
import {constants as os} from 'node:os';
import type {ResourceLimits, ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {outputBounds} from '@lumenflow/schemas/output-bounds';
import type {SandboxRequest} from '../backends/sandbox-call.ts';
import type {RunnerEnd} from '../backends/sandbox-backend.ts';
import type {BoundedOutput} from '../commands/capture-output.ts';
import type {ProcessEnd} from '../commands/spawn-process.ts';
import type {UsageReport, WatchedLimit} from '../limits/watch-usage.ts';
import type {Verdict} from './converse.ts';

export interface EndedCall extends Partial<UsageReport> {
  readonly request: SandboxRequest;
  readonly ended: ProcessEnd & Pick<RunnerEnd, 'lost'>;
  readonly verdict: Verdict;
  /** Whether the handler's module was imported. */
  readonly isLoaded: boolean;
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

export function outputOf(outcome: EndedCall): ToolOutput {
  const {request, ended, verdict} = outcome;
  const tool = `\`${request.invocation.tool_name}\``;
  if (ended.timedOut) return failedOutput({code: 'TOOL_TIMEOUT', message: timeoutText(request, outcome.isLoaded)});
  if (ended.aborted) return failedOutput({code: 'TOOL_CANCELLED', message: `${tool} was cancelled`});
  if (verdict.kind === 'output') return withLastWords(verdict.output, outcome);
  if (verdict.kind === 'exceeded') return failedOutput(tooWide(tool, verdict.exceeded));
  const details = endDetails(outcome);
  if (ended.lost !== undefined) {
    const message = `it is unknown whether ${tool} has finished: ${ended.lost}`;
    return failedOutput({code: 'TOOL_CRASHED', message, details});
  }
  const limit = limitMet(outcome);
  if (limit === undefined) {
    return failedOutput({code: 'TOOL_CRASHED', message: `${crashText(outcome)} before it returned a result`, details});
  }
  const bound = outcome.excess?.bound ?? request.profile.profile.limits[limit];
  const message = `${tool} exceeded its limit \`${limit}\`${bound === undefined ? '' : ` of ${bound}`}: ${limitTexts[limit]}`;
  return failedOutput({
    code: 'LIMIT_EXCEEDED',
    message,
    details: {limit, ...(bound === undefined ? {} : {bound}), ...details},
  });
}

const counted = {values: 'values', names: 'names of properties'} as const;

function tooWide(tool: string, exceeded: keyof typeof counted): ToolFailure {
  const bound = outputBounds[exceeded];
  return {
    code: 'INVALID_OUTPUT',
    message: `a message of ${tool} contains more than ${bound} ${counted[exceeded]}: return less, in pages, or write it to a file`,
    details: {limit: `output_${exceeded}`, bound},
  };
}

export function timeoutText({invocation, wallMs}: SandboxRequest, isLoaded: boolean): string {
  const text = `\`${invocation.tool_name}\` did not finish within ${wallMs} ms`;
  return isLoaded ? text : `${text}: its time ended while its module was imported`;
}

/** As far as this can be seen: measured, reported by the kernel, or from V8's last output. */
export function ranOutOfMemory(outcome: EndedCall): boolean {
  return outcome.verdict.kind !== 'output' && limitMet(outcome) === 'memory_bytes';
}

type Limit = WatchedLimit | 'file_size_bytes';

const limitTexts: Readonly<Record<Limit, string>> = {
  memory_bytes: 'it ran out of memory',
  cpu_time_ms: 'it used too much CPU time',
  processes: 'it started too many processes',
  tmp_files: 'it created too many files in /tmp and /dev/shm',
  file_size_bytes: 'it wrote a file that is too large',
} satisfies Partial<Record<keyof ResourceLimits, string>>;

/** Undefined when it ended for another reason. */
function limitMet({excess, ended, stderr}: EndedCall): Limit | undefined {
  if (excess !== undefined) return excess.limit;
  if (ended.exitCode === exitOf('SIGABRT') && stderr.text.includes('heap out of memory')) return 'memory_bytes';
  if (ended.exitCode === exitOf('SIGXFSZ')) return 'file_size_bytes';
  return ended.exitCode === exitOf('SIGXCPU') ? 'cpu_time_ms' : undefined;
}

function exitOf(signal: NodeJS.Signals): number {
  return 128 + os.signals[signal];
}

function endDetails({ended, stderr}: EndedCall): Record<string, unknown> {
  return {
    exit_code: ended.exitCode,
    ...(ended.signal === undefined ? {} : {signal: ended.signal}),
    stderr: tailOf(stderr),
  };
}

/** A handler that called `process.exit` was reported by its runner, which does not know what it had printed. */
function withLastWords(output: ToolOutput, {stderr}: EndedCall): ToolOutput {
  const {error} = output;
  if (error?.code !== 'TOOL_CRASHED') return output;
  return failedOutput({...error, details: {...error.details, stderr: tailOf(stderr)}});
}

function tailOf({text}: BoundedOutput): string {
  return text.slice(-2000);
}

function crashText({request, ended, verdict}: EndedCall): string {
  const tool = `\`${request.invocation.tool_name}\``;
  if (verdict.kind === 'garbled') return `${tool} violated the protocol (${verdict.problem})`;
  if (ended.startError !== undefined) return `${tool} could not be started (${ended.startError})`;
  return `${tool} ended with ${ended.signal ?? `exit code ${ended.exitCode}`}`;
}

function failedOutput(error: ToolFailure): ToolOutput {
  return {success: false, error};
}
