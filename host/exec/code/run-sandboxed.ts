// Runs code as a process in the sandbox: its calls use the wire of that sandbox, and nothing of the workspace is mounted.
import {cutText} from '@lumenflow/kernel';
import {overTime} from './over-time.ts';
import type {Dispatcher, DispatchRequest} from '@lumenflow/kernel';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import type {CodeEnd, CodeRun} from './code-run.ts';
import type {EngineEnd, Printed} from './quickjs/engine-messages.ts';
import type {SandboxedCode} from './sandboxed/sandboxed-code.ts';

/** For the start of the sandbox, before the limit of the code begins. */
const startMsMax = 10_000;

export async function runSandboxed(
  dispatcher: Dispatcher,
  call: DispatchRequest,
  {request, limits, gateway, signal}: CodeRun,
): Promise<CodeEnd> {
  const {language, code} = request;
  const {wall_time_ms, output_bytes} = limits;
  const limit = AbortSignal.timeout(wall_time_ms + startMsMax);
  const input: SandboxedCode = {language, code, output_bytes, wall_time_ms};
  const {output, enforcement} = await dispatcher.dispatch({
    ...call,
    input,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    callTool: async (operation, args) => await served(gateway.serve(operation, args)),
  });
  const end = endOf(output, output_bytes);
  const isLate = limit.aborted && signal?.aborted !== true && 'failure' in end;
  return {end: isLate ? {...end, failure: overTime(wall_time_ms)} : end, ...(enforcement && {enforcement})};
}

async function served(answering: ReturnType<CodeRun['gateway']['serve']>): Promise<ToolOutput> {
  const answer = await answering;
  return answer.ok ? {success: true, data: answer.value} : {success: false, error: answer.problem};
}

/** The runner shares its sandbox with the code, so the form of its output is not trusted either. */
function endOf({success, data, error}: ToolOutput, bytesMax: number): EngineEnd {
  if (!success) return {...nothing, failure: error ?? malformed};
  const {stdout, stderr, truncated, value, failure} = Object(data) as Readonly<Record<string, unknown>>;
  if (typeof stdout !== 'string' || typeof stderr !== 'string') return {...nothing, failure: malformed};
  const printed = {stdout: cutText(stdout, bytesMax), stderr: cutText(stderr, bytesMax), truncated: truncated === true};
  if (typeof value === 'string')
    return Buffer.byteLength(value) > bytesMax ? tooLong(printed, bytesMax) : {...printed, value};
  const {code, message, details} = Object(failure) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || typeof message !== 'string') return {...printed, failure: malformed};
  const {stack} = Object(details) as Readonly<Record<string, unknown>>;
  return {
    ...printed,
    failure: {
      code: failureCodes.has(code) ? code : malformed.code,
      message,
      ...(typeof stack === 'string' && {details: {stack}}),
    },
  };
}

/** Those that the runner uses: others mean something about the call itself. */
const failureCodes: ReadonlySet<string> = new Set(['TOOL_EXECUTION_FAILED', 'TOOL_TIMEOUT']);
const nothing: Printed = {stdout: '', stderr: '', truncated: false};
const malformed: ToolFailure = {code: 'TOOL_EXECUTION_FAILED', message: 'the code ended without a result'};

function tooLong(printed: Printed, bytesMax: number): EngineEnd {
  const message = `the value of the code exceeds its limit of ${bytesMax} \`output_bytes\` as JSON`;
  return {...printed, failure: {code: 'LIMIT_EXCEEDED', message, details: {limit: 'output_bytes'}}};
}
