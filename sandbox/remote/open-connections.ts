// One HTTP request and its whole response, over connections that are kept.
import {Agent as PlainAgent, request as plainRequest, type IncomingMessage} from 'node:http';
import {Agent as SecureAgent, request as secureRequest} from 'node:https';
import {wholeResponse} from '../http/whole-response.ts';

export interface Exchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export interface Received extends Pick<IncomingMessage, 'headersDistinct'> {
  readonly status: number;
  readonly body: Buffer;
}

export interface Connections {
  /** Rejects if there is no whole response in time. */
  exchange(url: URL, exchange: Exchange): Promise<Received>;
  close(): void;
}

/** PEM, each. */
export interface ClientTls {
  /** The authority that certificates of servers must be of; default: those of Node. */
  readonly ca?: string | undefined;
  /** What this side presents to a server that asks for a certificate. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const replyBytesMax = 16 * 1024 ** 2;

export function openConnections(isSecure: boolean, {ca, cert, key}: ClientTls = {}): Connections {
  const tls = {...(ca && {ca}), ...(cert && {cert}), ...(key && {key})};
  const agent = isSecure ? new SecureAgent({keepAlive: true, ...tls}) : new PlainAgent({keepAlive: true});
  const send = isSecure ? secureRequest : plainRequest;
  return {
    async exchange(url, {method, headers, body, timeoutMs, signal}) {
      const limit = AbortSignal.timeout(timeoutMs);
      const request = send(url, {
        method,
        agent,
        headers: {...headers, 'content-length': String(body.length)},
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      request.setNoDelay(true);
      request.end(body);
      const {
        head: {statusCode = 0, headersDistinct},
        body: received,
      } = await wholeResponse(request, replyBytesMax);
      return {status: statusCode, headersDistinct, body: received};
    },
    close: () => agent.destroy(),
  };
}
