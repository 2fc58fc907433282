// The HTTP API of a container engine, over its socket on this machine. Node's own client does all that is needed: the output and
// the wire of a container do not go through the engine.
import {request as httpRequest} from 'node:http';
import type {Readable} from 'node:stream';
import {errorCode} from '../error-code.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {refHandles} from '../commands/ref-handles.ts';
import {wholeResponse, type WholeResponse} from '../http/whole-response.ts';

export interface EngineRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** An object is sent as JSON, a stream as a tar archive. */
  readonly body?: object | Readable;
  /** Default 30 s; `none` for a request that waits for an end. */
  readonly timeoutMs?: number | 'none';
}

/** What an engine answers in place of what it was asked for. */
export interface EngineFailure {
  /** Undefined if it did not answer. */
  readonly status: number | undefined;
  readonly message: string;
  /** Whether this user may not connect to it. */
  readonly isDenied?: boolean;
  /** What to do, if that is known. */
  readonly help?: string;
}

export interface EngineClient {
  readonly socketPath: string;
  /** Never rejects. */
  send(request: EngineRequest): Promise<Outcome<unknown, EngineFailure>>;
  /** Likewise. What answers at the socket may be another program, or an engine of another version: no field is certain. */
  describe(path: string): Promise<Outcome<Readonly<Record<string, unknown>>, EngineFailure>>;
  /** Likewise, for a list of descriptions. */
  list<T>(path: string): Promise<Outcome<readonly T[], EngineFailure>>;
  /** Likewise, for a request that takes as long as a container runs. */
  begin(request: EngineRequest): PendingRequest;
}

export interface PendingRequest {
  readonly answer: Promise<Outcome<unknown, EngineFailure>>;
  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void;
}

const usualMs = 30_000;
const answerBytesMax = 16 * 1024 * 1024;

export function createEngineClient(socketPath: string): EngineClient {
  const begin = (request: EngineRequest): PendingRequest => beginRequest(socketPath, request);
  return {
    socketPath,
    begin,
    send: async (request) => await begin(request).answer,
    async describe(path) {
      const described = await begin({method: 'GET', path}).answer;
      if (!described.ok) return described;
      return isDescription(described.value)
        ? ok(described.value)
        : failed({status: undefined, message: 'its answer is not a description'});
    },
    async list<T>(path: string) {
      const {answer} = begin({method: 'GET', path});
      const listed = await answer;
      if (!listed.ok) return listed;
      return Array.isArray(listed.value) && listed.value.every(isDescription)
        ? ok(listed.value as readonly T[])
        : failed({status: undefined, message: 'its answer is not a list'});
    },
  };
}

function beginRequest(socketPath: string, {method, path, body, timeoutMs = usualMs}: EngineRequest): PendingRequest {
  const isArchive = body !== undefined && 'pipe' in body;
  const type = isArchive ? 'application/x-tar' : 'application/json';
  const headers = {host: 'engine', ...(body === undefined ? {} : {'content-type': type})};
  // A separate connection: `agent: false` closes it afterwards.
  const sent = httpRequest({socketPath, method, path, headers, agent: false});
  const answer = wholeResponse(sent, answerBytesMax).then(answerIn, (error: Error): Outcome<unknown, EngineFailure> => {
    const isDenied = errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM';
    return failed({status: undefined, message: error.message, isDenied});
  });
  const timer =
    timeoutMs === 'none'
      ? undefined
      : setTimeout(() => sent.destroy(new Error('it did not answer in time')), timeoutMs);
  void answer.then(() => clearTimeout(timer));
  if (isArchive) body.once('error', (error) => sent.destroy(error)).pipe(sent);
  else sent.end(body === undefined ? undefined : JSON.stringify(body));
  return {
    answer,
    keepAlive(on) {
      if (sent.socket === null) sent.once('socket', (socket) => refHandles([socket], on));
      else refHandles([sent.socket], on);
    },
  };
}

function answerIn({head: {statusCode: status}, body}: WholeResponse): Outcome<unknown, EngineFailure> {
  const content = parse(body.toString());
  return status !== undefined && status < 300 ? ok(content) : failed({status, message: messageOf(content)});
}

function isDescription(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Some answers are empty, or a line of JSON for each step. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text.trim();
  }
}

function messageOf(content: unknown): string {
  const said = typeof content === 'object' && content !== null && 'message' in content ? content.message : content;
  return typeof said === 'string' ? said.trim().slice(0, 500) : 'it gave no reason';
}
