// Serves a worker over HTTP. The head of a request is verified before its body is read, and the body before anything
// else sees it. Each response is signed.
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {createServer as createSecureServer} from 'node:https';
import type {AddressInfo} from 'node:net';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {signResponse} from '../signatures/sign-response.ts';
import type {SigningKey, VerifyingKeys} from '../signatures/signing-key.ts';
import type {NonceCache} from '../signatures/nonce-cache.ts';
import {
  verifyRequestBody,
  verifyRequestHead,
  type VerifiedHead,
  type VerifiedRequest,
} from '../signatures/verify-request.ts';
import {boundConnections} from '../http/bound-connections.ts';
import {stopListening} from '../http/stop-listening.ts';
import {readBody} from './read-body.ts';
import {
  answerRequest,
  bodyBytesMax,
  refused,
  type Reply,
  type RoutedRequest,
  type RouteContext,
} from './worker-routes.ts';

export interface TlsFiles {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
  /** Of the certificates that hosts must present; undefined: none. */
  readonly clientCa?: string | undefined;
}

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsFiles | undefined;
  /** The worker's own as they are now, at most two while one replaces the other. */
  ownKeys(): readonly SigningKey[];
  /** Of the hosts that it serves, as they are now. */
  hostKeys(): VerifyingKeys;
  readonly nonces: NonceCache;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Open ones; default 2,000. */
  readonly connectionsMax?: number;
}

export interface ServedWorker {
  /** With the port that was chosen. */
  readonly url: string;
  close(): Promise<void>;
}

/** A host that sends slowly must not keep a connection forever. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

/** Each call has two at a time. */
const connectionsMaxDefault = 2_000;
/** Requests that have arrived before the worker closes have so long to be replied to. */
const replyMs = 1_000;

export async function serveWorker(options: ServeOptions, context: RouteContext): Promise<Outcome<ServedWorker>> {
  const {host, port, tls, connectionsMax = connectionsMaxDefault} = options;
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    // Keys are read and nonces are kept for each request: a full disk must end the request, and not the worker.
    void reply(request, response, options, context).catch(() => response.destroy());
  const server =
    tls === undefined
      ? createServer(timeouts, listener)
      : createSecureServer(
          {
            ...timeouts,
            cert: tls.cert,
            key: tls.key,
            ...(tls.clientCa !== undefined && {ca: tls.clientCa, requestCert: true, rejectUnauthorized: true}),
          },
          listener,
        );
  const connections = boundConnections(server, connectionsMax);
  const problem = await listen(server, host, port);
  if (problem !== undefined) return failed(problem);
  const {port: chosen} = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return ok({
    url: `${tls === undefined ? 'http' : 'https'}://${name}:${chosen}`,
    async close() {
      const {closed} = await stopListening(server);
      connections.closeIdle();
      const late = setTimeout(() => server.closeAllConnections(), replyMs);
      await closed;
      clearTimeout(late);
    },
  });
}

async function listen(server: Server, host: string, port: number): Promise<SandboxProblem | undefined> {
  return await new Promise((resolve) => {
    server.once('error', (error) =>
      resolve({message: `the worker cannot listen at ${host}:${port} (${error.message})`, help: 'choose another port'}),
    );
    server.listen(port, host, () => resolve(undefined));
  });
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServeOptions,
  context: RouteContext,
): Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  const ownKeys = options.ownKeys();
  const head = verifyHead(request, {...options, ownKeys});
  if (!head.ok) return send(response, refused(401, head.problem), {connection: 'close'});
  const body = await readBody(request, bodyBytesMax);
  if (body === undefined) {
    const message = `the body is incomplete, or has more than ${bodyBytesMax} bytes`;
    return send(response, refused(413, {message, help: 'send a smaller one'}), {connection: 'close'});
  }
  const verified = verifyRequestBody(head.value, body);
  if (!verified.ok) return send(response, refused(401, verified.problem), {connection: 'close'});
  const answer = await answerVerified(request, {...verified.value, body, signal: closed.signal}, context);
  const headers = answer.status === 204 ? {} : {'content-type': answer.type};
  const key = ownKeys.find(({id}) => id === verified.value.recipient);
  if (key === undefined || closed.signal.aborted) return void response.destroy();
  send(
    response,
    answer,
    signResponse({status: answer.status, headers, body: answer.body}, verified.value, {key, now: options.now()}),
  );
}

function verifyHead(
  request: IncomingMessage,
  {ownKeys, ...options}: Omit<ServeOptions, 'ownKeys'> & {readonly ownKeys: readonly SigningKey[]},
): Outcome<VerifiedHead> {
  const {method = '', url = '', headersDistinct} = request;
  return verifyRequestHead(
    {method, authority: headersDistinct['host']?.[0] ?? '', target: url, headers: headersDistinct},
    {
      keys: options.hostKeys(),
      recipients: ownKeys.map(({id}) => id),
      nonces: options.nonces,
      now: options.now(),
    },
  );
}

async function answerVerified(
  {method = '', url = '', headers}: IncomingMessage,
  {keyId, recipient, body, signal}: VerifiedRequest & Pick<RoutedRequest, 'body' | 'signal'>,
  context: RouteContext,
): Promise<Reply> {
  const key = headers['idempotency-key'];
  try {
    return await answerRequest(
      {
        method,
        url: new URL(url, 'http://worker.invalid'),
        idempotencyKey: typeof key === 'string' ? key : undefined,
        body,
        owner: keyId,
        recipient,
        signal,
      },
      context,
    );
  } catch (error) {
    return refused(500, {message: `the worker failed: ${String(error)}`, help: 'see the log of the worker'});
  }
}

function send(response: ServerResponse, {status, body}: Reply, headers: Readonly<Record<string, string>>): void {
  response.writeHead(status, {...headers, ...(status !== 204 && {'content-length': String(body.length)})});
  response.end(body);
}
