// Runs the code of a call where its tool says: in QuickJS, or as a process in the sandbox. Both reach tools through one gateway, and
// the host writes the report.
import type {DispatchOutcome, DispatchRequest, Dispatcher, ToolReach} from '@lumenflow/kernel';
import type {CodeRequest} from '@lumenflow/schemas';
import {createSandboxQueue} from '../../dispatch/sandbox-queue.ts';
import {createToolCatalogue} from '../tool-catalogue.ts';
import {codeLimits} from './code-limits.ts';
import {codeOutput} from './code-output.ts';
import type {CodeEnd, CodeRun} from './code-run.ts';
import {allowList} from './gateway/allow-list.ts';
import {Gateway} from './gateway/gateway.ts';
import {jsonOr} from './json-or.ts';
import {codePackId, codeTool, isCodeTool} from './pack/code-tools.ts';
import {createQuickJsThreads} from './quickjs/quickjs-threads.ts';
import type {EngineEnd} from './quickjs/engine-messages.ts';
import {runSandboxed} from './run-sandboxed.ts';
import {stripTypes} from './strip-types.ts';
import {movePositions, type PositionOf} from './user-frames.ts';

/** Engines at once, for each depth of nesting. */
const enginesMax = 16;

/** A dispatcher that also runs code. */
export function withCode<D extends Dispatcher>(dispatcher: D): D {
  const threads = createQuickJsThreads();
  const queue = createSandboxQueue(enginesMax);
  const workspace: {tools: ToolReach['tools']} = {tools: new Map()};
  const catalogue = createToolCatalogue({workspace});

  async function dispatch(call: DispatchRequest, reach: ToolReach): Promise<DispatchOutcome> {
    const asked = call.input as CodeRequest;
    const script = asked.language === 'typescript' ? await stripTypes(asked.code) : undefined;
    if (script?.ok === false) return {output: {success: false, error: script.problem}};
    const limits = codeLimits(asked.limits);
    workspace.tools = reach.tools;
    const gateway = new Gateway({
      reach,
      callTool: (name, input) => call.callTool(name, input),
      catalogue,
      isAllowed: allowList(asked.allow, codePackId),
      toolCallsMax: limits.tool_calls,
    });
    const request = script === undefined ? asked : {...asked, code: script.value.code};
    const run: CodeRun = {request, positionOf: script?.value.positionOf, limits, gateway, signal: call.signal};
    if (call.tool.name !== codeTool) return await reported(call, run, () => runSandboxed(dispatcher, call, run));
    const {signal, depth} = call;
    return await queue.run({timeoutMs: limits.wall_time_ms, depth, ...(signal && {signal})}, () =>
      reported(call, run, () => runInEngine(run)),
    );
  }

  async function runInEngine({request, limits, gateway, signal}: CodeRun): Promise<CodeEnd> {
    const {memory_bytes: memoryBytes, output_bytes: outputBytes, wall_time_ms: wallMs} = limits;
    const end = await threads.run(
      {code: request.code, memoryBytes, outputBytes, wallMs},
      async (operation, args) => JSON.stringify(await gateway.serve(operation, jsonOr(args, undefined))),
      signal,
    );
    return {end, enforcement: ofEngine};
  }

  return {
    ...dispatcher,
    modeOf: (tool, writes) => (tool.name === codeTool && isCodeTool(tool) ? 'pool' : dispatcher.modeOf(tool, writes)),
    dispatch: (call) => (isCodeTool(call.tool) && call.reach ? dispatch(call, call.reach) : dispatcher.dispatch(call)),
    async close() {
      await Promise.all([queue.close(), threads.close(), dispatcher.close()]);
    },
  };
}

/** The engine's thread has no files, network or processes; whether WebAssembly confines it is not tried. */
const ofEngine: DispatchOutcome['enforcement'] = {
  backend: 'quickjs',
  tier: 'none',
  degraded: ['isolation by WebAssembly: not tried on this machine'],
};

async function reported(
  call: DispatchRequest,
  {gateway, limits, positionOf}: CodeRun,
  run: () => Promise<CodeEnd>,
): Promise<DispatchOutcome> {
  const started = performance.now();
  const {end: ended, enforcement} = await run();
  const end = inSource(ended, positionOf);
  await gateway.close(limits.wall_time_ms - (performance.now() - started));
  log(call, end);
  const output = codeOutput(end, {limits, gateway, wall_time_ms: performance.now() - started});
  return {output, ...(enforcement && {enforcement})};
}

/** An error of TypeScript is where its author wrote it. */
function inSource(end: EngineEnd, positionOf: PositionOf | undefined): EngineEnd {
  if (positionOf === undefined || !('failure' in end)) return end;
  const {details, ...failure} = end.failure;
  const stack = details?.['stack'];
  if (typeof stack !== 'string') return end;
  return {...end, failure: {...failure, details: {...details, stack: movePositions(stack, positionOf)}}};
}

/** In the evidence, what the code printed is its log. */
function log({onLog}: DispatchRequest, {stdout, stderr, truncated}: EngineEnd): void {
  if (stdout !== '') onLog({level: 'info', message: stdout.replace(/\n$/u, ''), fields: {stream: 'stdout'}});
  if (stderr !== '') onLog({level: 'warn', message: stderr.replace(/\n$/u, ''), fields: {stream: 'stderr'}});
  if (truncated) onLog({level: 'warn', message: 'the code printed more than its limit: the rest is dropped'});
}
