// Runs one tool in memory, as a host would: through `invoke`, with its own files and what the test provides.
// What only a host can do (manifest, policy, sandbox) is tested with testPack of @lumenflow/host/testing.
import type {CallPrincipal, Invocation, LogLevel, ToolOutput, WireMessage, WireRequest} from '@lumenflow/schemas';
import type {ToolDefinition} from '../define-tool.ts';
import {invoke} from '../invoke.ts';
import {toJsonValue} from '../to-json-value.ts';
import type {ToolContext} from '../tool-context.ts';
import {isToolError, ToolError} from '../tool-error.ts';
import {createMemoryStates, type MemoryStates} from './memory-states.ts';
import {makeTemporaryWorkspace} from './temporary-workspace.ts';
import {compileGrants, type GrantedPaths, type TestGrants} from './test-grants.ts';
import {createWorkspaceFiles} from './workspace-files.ts';

export interface RunToolOptions<Config = unknown> {
  /** Default `{}`. */
  readonly config?: Config;
  /** Default none. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files that are there when the tool runs, by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The pack's own texts that are there when the tool runs, by name. */
  readonly state?: Readonly<Record<string, string>>;
  /** Default: everything in the folder may be read and written. */
  readonly grants?: TestGrants;
  /** The caller; default unknown. */
  readonly principal?: CallPrincipal;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Default: there is no sandbox, so `ctx.exec` throws EXEC_NEEDS_SANDBOX. */
  readonly exec?: ToolContext['exec'];
  /** Default: there are no other tools, so `ctx.callTool` answers TOOL_NOT_FOUND. */
  callTool?(name: string, input: unknown): Promise<ToolOutput> | ToolOutput;
}

export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface ToolRun<Output = unknown> {
  readonly output: Omit<ToolOutput, 'data'> & {readonly data?: Output};
  /** Every file after the run, as UTF-8 text by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are new or have changed, however they were written. */
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** The pack's own texts after the run, by name. */
  readonly state: Readonly<Record<string, string>>;
  readonly progress: readonly unknown[];
  readonly log: readonly LogEntry[];
}

/** Rejects only for mistakes of the test itself; what the tool does is in `output`. */
export async function runTool<Input, Output, Config>(
  tool: ToolDefinition<Input, Output, Config>,
  input: unknown,
  options: RunToolOptions<NoInfer<Config>> = {},
): Promise<ToolRun<Output>> {
  const granted = compileGrants(options.grants);
  const workspace = await makeTemporaryWorkspace(options.files ?? {});
  try {
    const before = await workspace.read();
    const reported: Reported = {progress: [], log: []};
    const states = createMemoryStates(options.state);
    const output = await invoke(invocation({input, options, granted, root: workspace.root}), {
      channel: createChannel({options, granted, root: workspace.root, states, reported}),
      exec: options.exec ?? noExec,
      importModule: async () => ({tool}),
    });
    const after = await workspace.read();
    return {
      output: output as ToolRun<Output>['output'],
      files: Object.fromEntries([...after].map(([path, content]) => [path, content.toString('utf8')])),
      written: [...after].filter(([path, content]) => before.get(path)?.equals(content) !== true).map(([path]) => path),
      removed: [...before.keys()].filter((path) => !after.has(path)),
      state: states.texts(),
      ...reported,
    };
  } finally {
    await workspace.remove();
  }
}

interface Reported {
  readonly progress: unknown[];
  readonly log: LogEntry[];
}

interface Run {
  readonly options: RunToolOptions;
  readonly granted: GrantedPaths;
  readonly root: string;
}

function invocation({input, options, granted, root}: Run & {readonly input: unknown}): Invocation {
  return {
    protocol: 1,
    tool_name: 'test:tool',
    handler_entry: '/test/tool.js#tool',
    input: asJson(input, 'the input'),
    scope_enforced: {
      read: [...granted.read],
      write: [...granted.write],
      network: {posture: 'off', allowlist_entries: []},
    },
    receipt_id: 'rcp-test',
    task_id: 'task-test',
    run_id: 'run-test',
    session_id: 'session-test',
    lane_id: 'main',
    ...(options.principal && {principal: options.principal}),
    workspace_root: root,
    config: asJson(options.config ?? {}, 'the config'),
    env: {...options.env},
  };
}

function createChannel({
  options,
  granted,
  root,
  states,
  reported,
}: Run & {readonly states: MemoryStates; readonly reported: Reported}): Parameters<typeof invoke>[1]['channel'] {
  const files = createWorkspaceFiles(root, granted);
  const {signal} = options;
  let listener: (message: WireMessage) => void = () => {};

  async function handle({method, params}: WireRequest): Promise<unknown> {
    if (method.startsWith('state_')) return states.answer(method, params);
    if (method !== 'call_tool') return await files.answer(method, params);
    const {name} = params;
    if (typeof name !== 'string') throw new ToolError('INVALID_INPUT', "the request's `name` must be a string");
    return (await options.callTool?.(name, params['input'])) ?? noSuchTool(name);
  }

  async function answer(request: WireRequest): Promise<void> {
    const {id} = request;
    try {
      listener({type: 'response', id, value: await handle(request)});
    } catch (error) {
      const {code, message, details} = isToolError(error)
        ? error
        : new ToolError('TOOL_EXECUTION_FAILED', String(error));
      listener({type: 'response', id, error: {code, message, ...(details && {details: {...details}})}});
    }
  }

  return {
    send(message) {
      if (message.type === 'progress') reported.progress.push(message.payload);
      else if (message.type === 'request') void answer(message);
      else if (message.type === 'log') {
        const {level, message: text, fields} = message;
        reported.log.push({level, message: text, ...(fields && {fields})});
      }
    },
    onMessage(next) {
      listener = next;
      const cancel = (): void => listener({type: 'cancel', reason: 'the call was cancelled'});
      if (signal?.aborted === true) cancel();
      else signal?.addEventListener('abort', cancel, {once: true});
    },
  };
}

function noSuchTool(name: string): ToolOutput {
  return {success: false, error: {code: 'TOOL_NOT_FOUND', message: `the test defines no tool \`${name}\``}};
}

async function noExec(): Promise<never> {
  throw new ToolError('EXEC_NEEDS_SANDBOX', 'a test in memory has no sandbox: give runTool an `exec`, or use testPack');
}

function asJson(value: unknown, what: string): unknown {
  const json = toJsonValue(value);
  if (json.ok) return json.value;
  throw new TypeError(`${what} is not JSON${json.pointer === '' ? '' : ` at ${json.pointer}`}: ${json.message}`);
}
