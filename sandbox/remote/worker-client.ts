// Sends signed requests to one worker, and accepts only responses that it has signed for them.
import {randomBytes, type KeyObject} from 'node:crypto';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';
import {signRequest} from '../signatures/sign-request.ts';
import type {SigningKey} from '../signatures/signing-key.ts';
import {verifyResponse} from '../signatures/verify-response.ts';
import {openConnections, type ClientTls} from './open-connections.ts';

const charactersMax = 1000;

export interface WorkerAddress {
  /** For messages. */
  readonly name: string;
  readonly url: string;
  /** The worker's public key, and its id. */
  readonly key: {readonly id: string; readonly publicKey: KeyObject};
  readonly tls?: ClientTls | undefined;
}

export interface WorkerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly body?: Buffer | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface WorkerReply {
  readonly status: number;
  readonly body: Buffer;
}

/** `isAnswer`: the worker has replied, and another request would get the same reply. */
export type RequestFailure = SandboxProblem & {readonly isAnswer: boolean};

export interface WorkerClient {
  readonly address: WorkerAddress;
  /** A reply with a status of success; the worker's own problem otherwise. Never rejects. */
  send(request: WorkerRequest): Promise<Outcome<WorkerReply, RequestFailure>>;
  close(): void;
}

export interface WorkerClientOptions {
  /** The host's own. */
  readonly key: SigningKey;
  /** Milliseconds since the epoch. */
  now(): number;
}

export function createWorkerClient(address: WorkerAddress, {key, now}: WorkerClientOptions): WorkerClient {
  const base = new URL(address.url);
  const connections = openConnections(base.protocol === 'https:', address.tls);
  const keys = new Map([[address.key.id, address.key.publicKey]]);

  async function exchange({method, path, idempotencyKey, ...sent}: WorkerRequest): Promise<SentOutcome> {
    const {body = Buffer.alloc(0), timeoutMs, signal} = sent;
    const url = new URL(path, base);
    const given = {
      ...(body.length > 0 && {'content-type': 'application/octet-stream'}),
      ...(idempotencyKey !== undefined && {'idempotency-key': idempotencyKey}),
    };
    const nonce = randomBytes(16).toString('base64url');
    const signing = {key, recipient: address.key.id, now: now(), nonce};
    const headers = signRequest({method, url, headers: given, body}, signing);
    const {
      status,
      headersDistinct,
      body: received,
    } = await connections.exchange(url, {
      method,
      headers,
      body,
      timeoutMs,
      signal,
    });
    const response = {status, headers: headersDistinct, body: received};
    const verified = verifyResponse(response, headers, {keys, now: now()});
    if (verified.ok) {
      return status < 300 ? ok({status, body: received}) : failed({...refusalOf(received, address), isAnswer: true});
    }
    // Unsigned, since the worker did not accept the request: it may be of anyone, and a new request may be accepted.
    if (status === 401) return failed({...refusalOf(received, address), isAnswer: false});
    const message = `the response of the worker \`${address.name}\` is not its own: ${verified.problem.message}`;
    return failed({message, help: verified.problem.help, isAnswer: false});
  }

  return {
    address,
    async send(request) {
      try {
        return await exchange(request);
      } catch (error) {
        return failed({...unreachable(address, error), isAnswer: false});
      }
    },
    close: () => connections.close(),
  };
}

type SentOutcome = Outcome<WorkerReply, RequestFailure>;

function refusalOf(body: Buffer, {name}: WorkerAddress): SandboxProblem {
  const given = parsed(body)?.problem;
  const message = typeof given?.message === 'string' ? bounded(given.message) : 'it did not give a reason';
  const help = typeof given?.help === 'string' ? bounded(given.help) : 'see the log of the worker';
  return {message: `the worker \`${name}\` refused the request: ${message}`, help};
}

/** One without a signature may be of anyone. */
function bounded(text: string): string {
  return text.slice(0, charactersMax);
}

function unreachable({name, url}: WorkerAddress, error: unknown): SandboxProblem {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    message: `the worker \`${name}\` at ${url} cannot be reached (${reason})`,
    help: 'start it with `lumenflow worker`, or correct `security.sandbox.backends.remote.workers`',
  };
}

function parsed(body: Buffer): {readonly problem?: Partial<SandboxProblem>} | undefined {
  try {
    return Object(JSON.parse(body.toString())) as {readonly problem?: Partial<SandboxProblem>};
  } catch {
    return undefined;
  }
}
