// Builds a handler's context from its invocation. The host's functions reach it over the wire. They are bounded here, at the source, so
// that a handler with much output cannot fill the host's memory.
import type {Invocation, LogLevel, ToolOutput} from '@lumenflow/schemas';
import {isRecord} from './is-record.ts';
import type {RequestClient} from './request-client.ts';
import {createScopedFsClient} from './scoped-fs-client.ts';
import {createStateClient, listStateNames} from './state-client.ts';
import {toJsonValue} from './to-json-value.ts';
import type {ToolContext, ToolLog} from './tool-context.ts';
import {ToolError} from './tool-error.ts';

/** Characters of a call's log messages at most, its fields included. */
const logCharsMax = 1024 * 1024;
const logFull = 'the log of this call is full; the rest is dropped';

export interface ContextParts {
  readonly invocation: Invocation;
  /** As the handler's schema made it. */
  readonly config: unknown;
  readonly client: RequestClient;
  readonly exec: ToolContext['exec'];
}

export function createContext({invocation, config, client, exec}: ContextParts): ToolContext {
  const {task_id, run_id, session_id, receipt_id, lane_id, principal, workspace_root} = invocation;
  return Object.assign(new LazySignal(client), {
    task_id,
    run_id,
    session_id,
    receipt_id,
    lane_id,
    ...(principal && {principal}),
    workspace_root,
    granted_scopes: invocation.scope_enforced,
    config,
    env: invocation.env as Readonly<Record<string, string>>,
    async progress(payload: unknown) {
      client.send({type: 'progress', payload: jsonOrThrow(payload, 'the progress payload')});
    },
    log: createLog(client),
    async callTool(name: string, input: unknown) {
      const params = {name, input: jsonOrThrow(input, `the input for \`${name}\``)};
      return (await client.request('call_tool', params)) as ToolOutput;
    },
    fs: createScopedFsClient(client),
    state: (name: string) => createStateClient(client, name),
    stateNames: (prefix = '') => listStateNames(client, prefix),
    exec,
  });
}

/**
 * `signal`, created on first use: most handlers never use it, and it costs more than the rest. All contexts share one accessor,
 * because an accessor for each call makes slow objects that far outlive their calls.
 */
class LazySignal {
  static readonly #accessor: PropertyDescriptor & ThisType<LazySignal> = {
    enumerable: true,
    get() {
      return this.#client.signal();
    },
  };

  readonly #client: RequestClient;
  declare readonly signal: AbortSignal;

  constructor(client: RequestClient) {
    this.#client = client;
    Object.defineProperty(this, 'signal', LazySignal.#accessor);
  }
}

function jsonOrThrow(value: unknown, what: string): unknown {
  const json = toJsonValue(value);
  if (json.ok) return json.value;
  const where = json.pointer === '' ? '' : ` at ${json.pointer}`;
  throw new ToolError('INVALID_INPUT', `${what} is not JSON${where}: ${json.message}`);
}

function createLog(client: RequestClient): ToolLog {
  let charsLeft = logCharsMax;

  // Authors without types may pass anything.
  function log(level: LogLevel, message: unknown, given: unknown): void {
    if (charsLeft <= 0) return;
    const text = (typeof message === 'string' ? message : inspectShort(message)).slice(0, charsLeft);
    const fields = given === undefined ? {} : {fields: fieldsOf(given)};
    charsLeft -= text.length + JSON.stringify(fields).length;
    client.send({type: 'log', level, message: text, ...fields});
    if (charsLeft <= 0) client.send({type: 'log', level: 'warn', message: logFull});
  }

  return {
    debug: (message, fields) => log('debug', message, fields),
    info: (message, fields) => log('info', message, fields),
    warn: (message, fields) => log('warn', message, fields),
    error: (message, fields) => log('error', message, fields),
  };
}

/** A log line never fails its handler: fields that are not JSON are named instead. */
function fieldsOf(given: unknown): Record<string, unknown> {
  const json = toJsonValue(given);
  if (!json.ok) return {not_json: `${json.pointer}: ${json.message}`};
  return isRecord(json.value) ? json.value : {value: json.value};
}

function inspectShort(value: unknown): string {
  const json = toJsonValue(value);
  return json.ok ? JSON.stringify(json.value) : `a ${typeof value}`;
}
