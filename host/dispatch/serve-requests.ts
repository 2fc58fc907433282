// The host's answers to one call's handler: progress and log go to the call, requests are done within
// the grant and bounded, and what comes after the call is over is dropped.
import type {DispatchRequest} from '@lumenflow/kernel';
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import type {ToolFailure, WireMessage, WireRequest} from '@lumenflow/schemas';
import type {Reply} from '../pool/index.ts';
import type {PackStates} from '../state/index.ts';
import type {HostFileSystem} from './scoped-fs/index.ts';

/** Calls that one call may make. */
const childCallsMax = 1000;
/** Requests of one call that may wait for their answer at once. */
const openRequestsMax = 256;

/** Refused requests that a receipt names. */
const denialsMax = 100;
const denialCharactersMax = 300;

export interface RequestServer {
  onMessage(message: WireMessage, reply: Reply): void;
  /** Files that were asked for outside of the grant: `file PATH: why`. */
  denials(): readonly string[];
  /** Drops what comes from now on, and waits for file operations that have begun. */
  close(): Promise<void>;
}

export function serveRequests(
  call: Pick<DispatchRequest, 'tool' | 'onProgress' | 'onLog' | 'callTool'>,
  files: () => HostFileSystem,
  states: Pick<PackStates, 'answer'>,
): RequestServer {
  const fileOperations = new Set<Promise<unknown>>();
  const denials = new Set<string>();
  let open = true;
  let [openRequests, childCalls] = [0, 0];

  async function callTool(params: Params): Promise<unknown> {
    childCalls += 1;
    if (childCalls > childCallsMax) throw limit(`a call may make at most ${childCallsMax} calls`);
    return await call.callTool(text(params, 'name'), params['input']);
  }

  async function handle({method, params}: WireRequest): Promise<unknown> {
    if (method === 'call_tool') return await callTool(params);
    const operation = states.answer(call.tool, method, params) ?? operateOnFiles(files, method, params);
    fileOperations.add(operation);
    try {
      return await operation;
    } finally {
      fileOperations.delete(operation);
    }
  }

  async function answer(request: WireRequest, reply: Reply): Promise<void> {
    openRequests += 1;
    try {
      if (openRequests > openRequestsMax) throw limit(`at most ${openRequestsMax} requests may be open at once`);
      const value = await handle(request);
      if (open) reply({type: 'response', id: request.id, value});
    } catch (error) {
      const failure = noted(denials, request, failureOf(error));
      if (open) reply({type: 'response', id: request.id, error: failure});
    } finally {
      openRequests -= 1;
    }
  }

  function tell(message: WireMessage, reply: Reply): void {
    if (message.type === 'progress') call.onProgress(message.payload);
    else if (message.type === 'log') {
      const {level, message: line, fields} = message;
      call.onLog(fields === undefined ? {level, message: line} : {level, message: line, fields});
    } else if (message.type === 'request') void answer(message, reply);
  }

  return {
    onMessage(message, reply) {
      if (!open) return;
      try {
        tell(message, reply);
      } catch (error) {
        call.onLog({level: 'error', message: `the caller's listener for ${message.type} threw: ${String(error)}`});
      }
    },
    denials: () => [...denials],
    async close() {
      open = false;
      await Promise.allSettled(fileOperations);
    },
  };
}

type Params = Readonly<Record<string, unknown>>;

type FileOperation = (files: HostFileSystem, path: string, params: Params) => Promise<unknown>;

const onFiles: Readonly<Record<string, FileOperation>> = {
  async fs_read(files, path) {
    return {content_base64: Buffer.from(await files.read(path)).toString('base64')};
  },
  async fs_write(files, path, params) {
    const bytes = Buffer.from(text(params, 'content_base64'), 'base64');
    await files.write(path, {bytes, exclusive: params['exclusive'] === true});
    return {};
  },
  async fs_list(files, path) {
    return {entries: await files.list(path)};
  },
  async fs_stat(files, path) {
    const stat = await files.stat(path);
    return stat === undefined ? {} : {stat};
  },
  async fs_remove(files, path) {
    await files.remove(path);
    return {};
  },
};

async function operateOnFiles(
  files: () => HostFileSystem,
  method: WireRequest['method'],
  params: Params,
): Promise<unknown> {
  const operation = onFiles[method];
  if (operation === undefined) throw new ToolError('INVALID_INPUT', `unknown method \`${method}\``);
  return await operation(files(), text(params, 'path'), params);
}

function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new ToolError('INVALID_INPUT', `the request's \`${name}\` must be a string`);
}

/** The failure, kept among the denials when it is one. */
function noted(denials: Set<string>, {method, params}: WireRequest, failure: ToolFailure): ToolFailure {
  if (failure.code !== 'SCOPE_DENIED' || denials.size >= denialsMax) return failure;
  const path = typeof params['path'] === 'string' ? params['path'] : '';
  const text = path === '' ? `${method}: ${failure.message}` : `file ${path}: ${failure.message}`;
  denials.add(text.replace(/[^\x20-\x7e]/g, '?').slice(0, denialCharactersMax));
  return failure;
}

function limit(message: string): ToolError {
  return new ToolError('LIMIT_EXCEEDED', message);
}

function failureOf(error: unknown): ToolFailure {
  if (!isToolError(error)) {
    return {code: 'TOOL_EXECUTION_FAILED', message: error instanceof Error ? error.message : String(error)};
  }
  const {code, message, details} = error;
  return details === undefined ? {code, message} : {code, message, details: {...details}};
}
