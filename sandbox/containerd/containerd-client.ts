// Requests to containerd over its socket on this machine: gRPC, which is HTTP/2 with a message in each direction.
import {connect as connectHttp2, constants, type ClientHttp2Stream, type IncomingHttpHeaders} from 'node:http2';
import {connect} from 'node:net';
import type {EngineFailure, PendingRequest} from '../engine/engine-client.ts';
import {failed, ok, type Outcome} from '../outcome.ts';

export interface ContainerdRequest {
  readonly service: 'containers' | 'tasks' | 'version';
  readonly method: string;
  readonly message: Buffer;
  /** Default 30 s; `none` for a request that waits for an end. */
  readonly timeoutMs?: number | 'none';
}

/** Its answer is a `Buffer`, the message. */
export interface PendingAnswer extends Pick<PendingRequest, 'keepAlive'> {
  /** Never rejects. */
  readonly answer: Promise<Outcome<Buffer, EngineFailure>>;
}

export interface ContainerdClient {
  readonly socketPath: string;
  begin(request: ContainerdRequest): PendingAnswer;
}

/** What is of LumenFlow is in a separate namespace: containers of others cannot be named from there. */
const namespace = 'lumenflow';
const usualMs = 30_000;
const answerBytesMax = 16 * 1024 * 1024;
const prefixBytes = 5;

export function createContainerdClient(socketPath: string): ContainerdClient {
  return {socketPath, begin: (request) => beginRequest(socketPath, request)};
}

/** In a separate connection, which the answer closes. */
function beginRequest(socketPath: string, request: ContainerdRequest): PendingAnswer {
  const {service, method, message, timeoutMs = usualMs} = request;
  const session = connectHttp2('http://containerd', {createConnection: () => connect(socketPath)});
  const {HTTP2_HEADER_PATH, HTTP2_HEADER_METHOD, HTTP2_HEADER_CONTENT_TYPE, HTTP2_HEADER_TE} = constants;
  const answer = new Promise<Outcome<Buffer, EngineFailure>>((resolve) => {
    const notAnswered = (reason: string): void => resolve(failed({status: undefined, message: reason}));
    session.on('error', ({message: reason}) => notAnswered(reason));
    session.once('close', () => notAnswered('it closed the connection'));
    const stream = session.request({
      [HTTP2_HEADER_METHOD]: 'POST',
      [HTTP2_HEADER_PATH]: `/containerd.services.${service}.v1.${capitalized(service)}/${method}`,
      [HTTP2_HEADER_CONTENT_TYPE]: 'application/grpc',
      [HTTP2_HEADER_TE]: 'trailers',
      'containerd-namespace': namespace,
    });
    stream.on('error', ({message: reason}) => notAnswered(reason));
    if (timeoutMs !== 'none') stream.setTimeout(timeoutMs, () => notAnswered('it did not answer in time'));
    void readAnswer(stream).then(resolve);
    stream.end(Buffer.concat([prefixOf(message), message]));
  });
  void answer.then(() => session.destroy());
  return {answer, keepAlive: (on) => (on ? session.ref() : session.unref())};
}

function capitalized(service: string): string {
  return `${service.slice(0, 1).toUpperCase()}${service.slice(1)}`;
}

/** Not compressed, and its length. */
function prefixOf({length}: Buffer): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

async function readAnswer(stream: ClientHttp2Stream): Promise<Outcome<Buffer, EngineFailure>> {
  let status: IncomingHttpHeaders = {};
  // An answer that is an error has no body: its status is among its first headers.
  for (const event of ['response', 'trailers'] as const) {
    stream.on(event, (headers: IncomingHttpHeaders) => (status = {...status, ...headers}));
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > answerBytesMax) return failed({status: undefined, message: 'its answer is too long'});
      chunks.push(chunk);
    }
  } catch (error) {
    return failed({status: undefined, message: error instanceof Error ? error.message : String(error)});
  }
  const code = Number(status['grpc-status'] ?? NaN);
  if (code === 0) return ok(Buffer.concat(chunks).subarray(prefixBytes));
  const said = decoded(String(status['grpc-message'] ?? 'it gave no reason'));
  return failed({status: Number.isNaN(code) ? undefined : code, message: said.slice(0, 500)});
}

function decoded(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    // The protocol asks for the text as it is then.
    return message;
  }
}
