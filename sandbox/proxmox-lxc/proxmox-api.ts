// Requests to the REST API of Proxmox VE, with an API token.
import {request} from 'node:http';
import {failed, ok, type Outcome} from '../outcome.ts';
import {wholeResponse} from '../http/whole-response.ts';
import {connectPinned} from './connect-pinned.ts';
import {proxmoxFailure, type ProxmoxFailure} from './proxmox-failure.ts';

export interface ProxmoxRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api2/json`. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}

/** Resolves with the `data` of the answer. Never rejects. */
export type ProxmoxApi = <T = unknown>(request: ProxmoxRequest) => Promise<Outcome<T, ProxmoxFailure>>;

export interface ProxmoxServer {
  readonly url: string;
  /** See `connectPinned`. */
  readonly certificate: string;
  /** `USER@REALM!TOKENID=SECRET`. */
  readonly token: string;
  /** Milliseconds; default 30,000. */
  readonly answerMs?: number;
}

interface Answer {
  readonly data?: unknown;
  readonly message?: unknown;
  readonly errors?: Readonly<Record<string, unknown>>;
}

const answerBytesMax = 8 * 1024 * 1024;

export function createProxmoxApi(server: ProxmoxServer): ProxmoxApi {
  return async <T>(asked: ProxmoxRequest) => {
    try {
      const {status, reason, text} = await exchange(server, asked);
      const answer = parsed(text);
      if (status === 200 && answer !== undefined) return ok(answer.data as T);
      return failed(proxmoxFailure(sentenceOf(answer, reason || `status ${status}`), status));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return failed<ProxmoxFailure>({kind: 'unreachable', message});
    }
  };
}

interface Exchange {
  readonly status: number;
  readonly reason: string;
  readonly text: string;
}

async function exchange(server: ProxmoxServer, {method, path, parameters}: ProxmoxRequest): Promise<Exchange> {
  const url = new URL(server.url);
  const signal = AbortSignal.timeout(server.answerMs ?? 30_000);
  const socket = await connectPinned(url, server.certificate, signal);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters ?? {})) form.set(name, String(value));
  const inBody = method === 'POST' || method === 'PUT';
  const body = inBody ? form.toString() : '';
  try {
    const sent = request({
      // The connection is encrypted already.
      createConnection: () => socket,
      method,
      path: `/api2/json${path}${inBody || form.size === 0 ? '' : `?${form.toString()}`}`,
      headers: {
        host: url.host,
        authorization: `PVEAPIToken=${server.token}`,
        connection: 'close',
        ...(inBody && {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
        }),
      },
      signal,
    });
    sent.end(body);
    const {head, body: received} = await wholeResponse(sent, answerBytesMax);
    return {status: head.statusCode ?? 0, reason: head.statusMessage ?? '', text: received.toString()};
  } finally {
    socket.destroy();
  }
}

/** Undefined if it is not an answer of the API. */
function parsed(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // A proxy before the server answers in HTML.
    return undefined;
  }
}

/** The reason in the status line, of older versions alone, and what is wrong with each parameter. */
function sentenceOf(answer: Answer | undefined, reason: string): string {
  const sentence = typeof answer?.message === 'string' ? answer.message.trim() : reason;
  const errors = Object.entries(answer?.errors ?? {}).map(([name, error]) => `${name}: ${String(error).trim()}`);
  return [sentence, ...errors].join('; ');
}
