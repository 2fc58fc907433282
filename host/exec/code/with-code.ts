// Runs the code of a call where its tool says: in QuickJS, or as a process in the sandbox. Both reach tools through one gateway, and
// the host writes the report.
import type {DispatchOutcome, DispatchRequest, Dispatcher} from '@lumenflow/kernel';
import type {CodeLimits, CodeReport, CodeRequest, ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {createToolCatalogue} from '../tool-catalogue.ts';
import {codeLimits} from './code-limits.ts';
import type {CodeEnd, CodeRun} from './code-run.ts';
import {allowList} from './gateway/allow-list.ts';
import {Gateway} from './gateway/gateway.ts';
import {codePackId, codeTool, isCodeTool} from './pack/code-tools.ts';
import {createQuickJsThreads} from './quickjs/quickjs-threads.ts';
import type {EngineEnd} from './quickjs/engine-messages.ts';
import {runSandboxed} from './run-sandboxed.ts';
import {stripTypes} from './strip-types.ts';

/** A dispatcher that also runs code. */
export function withCode<D extends Dispatcher>(dispatcher: D): D {
  const threads = createQuickJsThreads();
  const workspace: {tools: NonNullable<DispatchRequest['reach']>['tools']} = {tools: new Map()};
  const catalogue = createToolCatalogue({workspace});

  async function runInEngine({request, limits, gateway, signal}: CodeRun): Promise<CodeEnd> {
    const run = {
      code: request.code,
      memoryBytes: limits.memory_bytes,
      outputBytes: limits.output_bytes,
      wallMs: limits.wall_time_ms,
    };
    const serve = async (operation: string, args: string): Promise<string> =>
      JSON.stringify(await gateway.serve(operation, JSON.parse(args) as readonly unknown[]));
    return {end: await threads.run(run, serve, signal), enforcement: ofEngine};
  }

  async function dispatch(
    call: DispatchRequest,
    reach: NonNullable<DispatchRequest['reach']>,
  ): Promise<DispatchOutcome> {
    const started = performance.now();
    const asked = call.input as CodeRequest;
    const limits = codeLimits(asked.limits);
    workspace.tools = reach.tools;
    const gateway = new Gateway({
      reach,
      callTool: (name, input) => call.callTool(name, input),
      catalogue,
      isAllowed: allowList(asked.allow, codePackId),
      toolCallsMax: limits.tool_calls,
    });
    const script = asked.language === 'typescript' ? await stripTypes(asked.code) : undefined;
    if (script?.ok === false) return {output: {success: false, error: script.problem}};
    const request = script === undefined ? asked : {...asked, code: script.value};
    const run = {request, limits, gateway, signal: call.signal};
    const {end, enforcement} =
      call.tool.name === codeTool ? await runInEngine(run) : await runSandboxed(dispatcher, call, run);
    const left = limits.wall_time_ms - (performance.now() - started);
    await Promise.race([gateway.close(), passed(left)]);
    log(call, end);
    const output = outputOf(end, {limits, gateway, wall_time_ms: performance.now() - started});
    return {output, ...(enforcement && {enforcement})};
  }

  return {
    ...dispatcher,
    modeOf: (tool, writes) => (tool.name === codeTool && isCodeTool(tool) ? 'pool' : dispatcher.modeOf(tool, writes)),
    dispatch: (call) => (isCodeTool(call.tool) && call.reach ? dispatch(call, call.reach) : dispatcher.dispatch(call)),
    async close() {
      await Promise.all([threads.close(), dispatcher.close()]);
    },
  };
}

/** The engine's thread has no files, network or processes; whether WebAssembly confines it is not tried. */
const ofEngine: DispatchOutcome['enforcement'] = {
  backend: 'quickjs',
  tier: 'none',
  degraded: ['isolation by WebAssembly: not tried on this machine'],
};

async function passed(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, Math.max(0, ms)).unref();
  });
}

/** In the evidence, what the code printed is its log. */
function log({onLog}: DispatchRequest, {stdout, stderr, truncated}: EngineEnd): void {
  if (stdout !== '') onLog({level: 'info', message: stdout.replace(/\n$/u, ''), fields: {stream: 'stdout'}});
  if (stderr !== '') onLog({level: 'warn', message: stderr.replace(/\n$/u, ''), fields: {stream: 'stderr'}});
  if (truncated) onLog({level: 'warn', message: 'the code printed more than its limit: the rest is dropped'});
}

interface Observed {
  readonly limits: Required<CodeLimits>;
  readonly gateway: Gateway;
  readonly wall_time_ms: number;
}

function outputOf(end: EngineEnd, {limits, gateway, wall_time_ms}: Observed): ToolOutput {
  const {stdout, stderr, truncated} = end;
  const value = 'value' in end ? parsed(end.value) : failureOf(end.failure);
  const report: CodeReport = {
    value: 'value' in value ? value.value : null,
    stdout,
    stderr,
    ...(truncated && {truncated}),
    calls: gateway.calls.map((entry) => ({...entry})),
    limits,
    used: {
      tool_calls: gateway.made,
      wall_time_ms,
      output_bytes: 'value' in end ? Buffer.byteLength(end.value) : 0,
    },
  };
  return 'value' in value ? {success: true, data: report} : {success: false, data: report, error: value.failure};
}

type Outcome = {readonly value: unknown} | {readonly failure: ToolFailure};

function failureOf(failure: ToolFailure): Outcome {
  return {failure};
}

function parsed(json: string): Outcome {
  try {
    return {value: JSON.parse(json) as unknown};
  } catch {
    // The code replaced functions of its engine.
    return failureOf({code: 'INVALID_OUTPUT', message: 'the value of the code is not JSON'});
  }
}
