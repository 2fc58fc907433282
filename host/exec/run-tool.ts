// One call through the session's own way of a call, with its result in the form that programs and models read.
import type {CompiledWorkspace} from '@lumenflow/kernel';
import type {ToolDeclaration, ToolFailure, ToolOutput, ToolRun} from '@lumenflow/schemas';
import type {Session} from '../sessions/open-session.ts';
import {plainValue} from './plain-value.ts';

export interface RunOptions {
  /** Cancels the call after this time, which includes waiting for its turn. The tool's own limit remains. */
  readonly timeout_ms?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Requires an output that can be validated: a tool without an output schema is not called. Declared ones are always enforced. */
  readonly validate_output?: boolean | undefined;
  on_progress?: ((payload: unknown) => void) | undefined;
}

export interface RunSource {
  readonly workspace: Pick<CompiledWorkspace, 'tools'>;
  readonly session: Pick<Session, 'call'>;
}

/** `id`: a tool's name, also with the version of its pack, as `file:read@0.1.0`. Never rejects because of the tool. */
export async function runTool(
  source: RunSource,
  id: string,
  args: unknown,
  options: RunOptions = {},
): Promise<ToolRun> {
  const started = performance.now();
  const {name, called, loaded, tool} = findCalled(source.workspace, id);
  if (options.validate_output === true && tool !== undefined && tool.output_schema === undefined) {
    return {value: null, tool_id: name, duration_ms: 0, error: unvalidated(name)};
  }
  const {data = null, error, metadata} = await callWithin(source.session, called, args, options);
  const run: ToolRun = {
    value: error || tool?.mcp === undefined ? data : plainValue(data),
    tool_id: name,
    duration_ms: performance.now() - started,
  };
  if (metadata?.receipt_id !== undefined) run.receipt_id = metadata.receipt_id;
  if (error) run.error = loaded === undefined ? error : otherVersion(error, id, loaded);
  return run;
}

interface Called {
  readonly name: string;
  /** What the kernel is asked for: it records the request for a version that is not loaded as one for an unknown tool. */
  readonly called: string;
  readonly tool: ToolDeclaration | undefined;
  /** The version that is loaded instead of the requested one. */
  readonly loaded?: string;
}

function findCalled({tools}: RunSource['workspace'], id: string): Called {
  const at = id.indexOf('@');
  const name = at < 1 ? id : id.slice(0, at);
  const found = tools.get(name);
  const tool = found?.declaration;
  const version = found?.pack.manifest.version;
  if (name === id || version === id.slice(at + 1)) return {name, called: name, tool};
  return {name, called: id, tool, ...(version !== undefined && {loaded: version})};
}

async function callWithin(
  session: RunSource['session'],
  name: string,
  args: unknown,
  {timeout_ms, signal, on_progress}: RunOptions,
): Promise<ToolOutput> {
  const reports = on_progress && {onProgress: on_progress};
  if (timeout_ms === undefined) {
    // Without a copy in the usual case: this is done for every call.
    return await session.call(name, args, signal === undefined ? reports : {signal, ...reports});
  }
  const limit = AbortSignal.timeout(timeout_ms);
  const either = signal ? AbortSignal.any([signal, limit]) : limit;
  const output = await session.call(name, args, {signal: either, ...reports});
  if (output.success || output.error.code !== 'TOOL_CANCELLED' || signal?.aborted === true) return output;
  const message = `\`${name}\` did not finish within ${timeout_ms} ms, and was cancelled`;
  return {...output, error: {code: 'TOOL_TIMEOUT', message, details: {timeout_ms}}};
}

function otherVersion({code}: ToolFailure, id: string, loaded: string): ToolFailure {
  return {code, message: `there is no \`${id}\`: version ${loaded} is loaded`, details: {loaded_version: loaded}};
}

function unvalidated(name: string): ToolFailure {
  const message = `\`${name}\` has no output_schema, so its output cannot be validated: call it without \`validate_output\``;
  return {code: 'INVALID_INPUT', message};
}
