// Sends requests to the addresses that the call's network allows. Redirects are returned, not followed.
import {request as plainRequest, Agent as PlainAgent, type IncomingMessage, type RequestOptions} from 'node:http';
import {request as secureRequest, Agent as SecureAgent} from 'node:https';
import {isIP, isIPv4, type TcpSocketConnectOpts} from 'node:net';
import type {ServiceNetwork} from '@lumenflow/kernel/adapters';
import type {HttpRequest} from './build-request.ts';

export interface HttpTransport {
  /** Rejects with TransportFault, or with the signal's reason. */
  send(request: HttpRequest, network: ServiceNetwork, signal: AbortSignal): Promise<HttpResponse>;
  close(): void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Undefined if it is longer than the limit. */
  readonly content: Buffer | undefined;
}

export class TransportFault extends Error {
  /** Whether no part of the request was sent. */
  readonly isUnsent: boolean;
  constructor(message: string, isUnsent: boolean) {
    super(message);
    this.isUnsent = isUnsent;
  }
}

export const responseBytesMax: number = 8 * 1024 * 1024;
const idleMs = 4_000;
const socketsMax = 64;

export function createHttpTransport(): HttpTransport {
  // A kept connection was allowed by one grant, so it serves no other.
  const agents = new Map<string, PlainAgent>();
  const agentFor = (protocol: string, key: string): PlainAgent => {
    const name = `${protocol} ${key}`;
    const options = {keepAlive: true, timeout: idleMs, maxSockets: socketsMax};
    const agent = agents.get(name) ?? (protocol === 'https:' ? new SecureAgent(options) : new PlainAgent(options));
    agents.set(name, agent);
    return agent;
  };
  return {
    async send(request, network, signal) {
      const {url} = request;
      const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
      const target = await network.resolve(url.hostname, port);
      if (!target.ok) throw new TransportFault(target.problem, true);
      return await exchange(request, {signal, agent: agentFor(url.protocol, network.key), ...lookupOf(target.value)});
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}

/** Passed on to the socket. */
type DialOptions = Pick<TcpSocketConnectOpts, 'lookup' | 'autoSelectFamily'>;

/** Node connects to these addresses, and resolves nothing itself. */
function lookupOf(addresses: readonly string[]): DialOptions {
  const found = addresses.map((address) => ({address, family: isIPv4(address) ? 4 : 6}));
  return {
    autoSelectFamily: true,
    lookup: (_name, options, answer) => {
      const [first] = found;
      if (options.all === true) answer(null, found);
      else answer(null, first?.address ?? '', first?.family);
    },
  };
}

async function exchange(
  {method, url, headers, body}: HttpRequest,
  options: RequestOptions & DialOptions,
): Promise<HttpResponse> {
  return await new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : plainRequest;
    const host = url.hostname.replace(/^\[(.*)\]$/u, '$1');
    const sent = send({
      ...options,
      method,
      host,
      ...(isIP(host) === 0 && url.protocol === 'https:' && {servername: host}),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: {...headers, 'accept-encoding': 'identity', ...(body && {'content-length': body.length})},
    });
    let isConnected = false;
    sent.on('socket', (socket) => {
      if (sent.reusedSocket) isConnected = true;
      else socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (isConnected = true));
    });
    const fail = (error: unknown): void =>
      reject(options.signal?.aborted === true ? error : new TransportFault(reasonOf(error), !isConnected));
    sent.on('error', fail);
    let isAnswered = false;
    sent.on('response', (response) => {
      isAnswered = true;
      void receive(response).then(resolve, fail);
    });
    // Without an error, for example when the server switches to another protocol.
    sent.on('close', () => !isAnswered && fail(new Error('the server did not reply with an HTTP response')));
    sent.end(body);
  });
}

async function receive(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  const {statusCode: status = 0, headers} = response;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop destroys the response.
    if (size > responseBytesMax) return {status, headers, content: undefined};
    chunks.push(chunk);
  }
  return {status, headers, content: Buffer.concat(chunks)};
}

function reasonOf(error: unknown): string {
  const {code, message, errors} = error as NodeJS.ErrnoException & {readonly errors?: readonly Error[]};
  // Several addresses failed: each has its own reason.
  const first = errors?.[0];
  return first === undefined ? message || (code ?? 'the connection failed') : first.message;
}
