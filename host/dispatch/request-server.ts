// Answers the requests of one call's handler: forwards progress and log messages, serves other requests within the grant and its
// bounds, and drops everything that arrives after the call.
import type {DispatchRequest} from '@lumenflow/kernel';
import {isToolError, ToolError} from '@lumenflow/pack-sdk';
import type {ToolFailure, WireMessage, WireRequest} from '@lumenflow/schemas';
import type {Reply} from '../pool/index.ts';
import type {PackStates} from '../state/index.ts';
import {AnswerBudget} from './answer-budget.ts';
import type {CallFiles} from './call-files.ts';
import type {HostFileSystem} from './scoped-fs/index.ts';

/** Maximum number of calls that one call can make. */
const childCallsMax = 1000;
/** Maximum number of pending requests of one call. */
const openRequestsMax = 256;

/** Maximum number of refused requests that a receipt names. */
const denialsMax = 100;
const denialCharactersMax = 300;
/** Errors for a path outside of the grant, and for one that leads outside the workspace. */
const deniedCodes: ReadonlySet<string> = new Set(['SCOPE_DENIED', 'INVALID_PATH']);

type ServedCall = Pick<DispatchRequest, 'tool' | 'onProgress' | 'onLog' | 'callTool'>;

export class RequestServer {
  readonly #call: ServedCall;
  readonly #files: Pick<CallFiles, 'fileSystem'>;
  readonly #states: Pick<PackStates, 'answer'>;
  /** Pending operations on files and states. Created on first use, because most calls send no request. */
  #operations: Set<Promise<unknown>> | undefined;
  #denials: Set<string> | undefined;
  #open = true;
  readonly #budget = new AnswerBudget();
  #openRequests = 0;
  #childCalls = 0;

  constructor(call: ServedCall, files: Pick<CallFiles, 'fileSystem'>, states: Pick<PackStates, 'answer'>) {
    this.#call = call;
    this.#files = files;
    this.#states = states;
  }

  readonly onMessage = (message: WireMessage, reply: Reply): void => {
    if (!this.#open) return;
    try {
      this.#receive(message, reply);
    } catch (error) {
      this.#call.onLog({level: 'error', message: `a listener for ${message.type} threw: ${String(error)}`});
    }
  };

  /** Requested files outside of the grant: `file PATH: why`. */
  denials(): readonly string[] {
    return this.#denials === undefined ? none : [...this.#denials];
  }

  /** Drops later requests. Returns a promise for the end of the pending operations, if there are any. */
  close(): Promise<unknown> | undefined {
    this.#open = false;
    this.#budget.close();
    return this.#operations && Promise.allSettled(this.#operations);
  }

  #receive(message: WireMessage, reply: Reply): void {
    if (message.type === 'progress') this.#call.onProgress(message.payload);
    else if (message.type === 'log') {
      const {level, message: line, fields} = message;
      this.#call.onLog(fields === undefined ? {level, message: line} : {level, message: line, fields});
    } else if (message.type === 'request') void this.#answer(message, reply);
  }

  async #answer(request: WireRequest, reply: Reply): Promise<void> {
    this.#openRequests += 1;
    try {
      if (this.#openRequests > openRequestsMax) {
        throw limit(`at most ${openRequestsMax} requests may be open at the same time`);
      }
      if (request.method === 'fs_read') await this.#answerRead(request, reply);
      else {
        const value = await this.#handle(request);
        if (this.#open) await reply({type: 'response', id: request.id, value});
      }
    } catch (error) {
      const failure = failureOf(error);
      this.#note(request, failure);
      if (this.#open) await reply({type: 'response', id: request.id, error: failure});
    } finally {
      // Counts until the answer is consumed, so a handler that consumes no answers can send only a few requests.
      this.#openRequests -= 1;
    }
  }

  /** Reads the content once there is room for it. A content as large as a frame is sent in parts. */
  async #answerRead({id, params}: WireRequest, reply: Reply): Promise<void> {
    let admitted = 0;
    try {
      const reading = this.#files.fileSystem.read(text(params, 'path'), async (bytes) => {
        await this.#budget.admit(bytes);
        admitted = bytes;
      });
      const content = await this.#during(reading);
      if (this.#open) await reply({type: 'response', id, value: {}}, content);
    } finally {
      if (admitted > 0) this.#budget.release(admitted);
    }
  }

  async #handle({method, params}: WireRequest): Promise<unknown> {
    if (method === 'call_tool') return await this.#callTool(params);
    const operation =
      this.#states.answer(this.#call.tool, method, params) ?? operateOnFiles(this.#files, method, params);
    return await this.#during(operation);
  }

  async #during<T>(operation: Promise<T>): Promise<T> {
    this.#operations ??= new Set();
    this.#operations.add(operation);
    try {
      return await operation;
    } finally {
      this.#operations.delete(operation);
    }
  }

  async #callTool(params: Params): Promise<unknown> {
    this.#childCalls += 1;
    if (this.#childCalls > childCallsMax) throw limit(`a call may make at most ${childCallsMax} calls`);
    return await this.#call.callTool(text(params, 'name'), params['input']);
  }

  /** Records the refused request for the receipt. */
  #note({method, params}: WireRequest, failure: ToolFailure): void {
    this.#denials ??= new Set();
    if (!deniedCodes.has(failure.code) || this.#denials.size >= denialsMax) return;
    const path = typeof params['path'] === 'string' ? params['path'] : '';
    const text = path === '' ? `${method}: ${failure.message}` : `file ${path}: ${failure.message}`;
    this.#denials.add(text.replace(/[^\x20-\x7e]/g, '?').slice(0, denialCharactersMax));
  }
}

const none: readonly string[] = [];

type Params = Readonly<Record<string, unknown>>;

type FileOperation = (files: HostFileSystem, path: string, params: Params) => Promise<unknown>;

const onFiles: Readonly<Record<string, FileOperation>> = {
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
  files: Pick<CallFiles, 'fileSystem'>,
  method: WireRequest['method'],
  params: Params,
): Promise<unknown> {
  const operation = onFiles[method];
  if (operation === undefined) throw new ToolError('INVALID_INPUT', `unknown method \`${method}\``);
  return await operation(files.fileSystem, text(params, 'path'), params);
}

function text(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new ToolError('INVALID_INPUT', `the request's \`${name}\` must be a string`);
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
