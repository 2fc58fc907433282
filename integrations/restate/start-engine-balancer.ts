// Distributes the requests of a Restate server to several workers. The server sends all runs to one address, over one connection, so what
// distributes connections does not help. Each request goes to the worker with the fewest, and signatures of the server reach the worker.
import {once} from 'node:events';
import {
  connect,
  constants,
  createServer,
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import {listenOn} from './listen-on.ts';
import {requireSignatures} from './require-signatures.ts';
import type {RestateSettings} from './restate-settings.ts';

export interface BalancerOptions {
  readonly hostname: string;
  /** 0 selects a free one. */
  readonly port: number;
  /** The addresses of the workers. Those that do not listen yet are tried again. */
  readonly workers: readonly string[];
}

export interface EngineBalancer {
  readonly url: string;
  /** Ends the requests that are under way: the server repeats them. */
  close(): Promise<void>;
}

/** How long a worker gets no request after it refused one. */
const restMs = 1_000;
const {HTTP2_HEADER_STATUS: statusHeader, NGHTTP2_CANCEL: cancelled, NGHTTP2_INTERNAL_ERROR: broken} = constants;
const unavailable = 503;

/** Rejects if it is not allowed to listen there. */
export async function startEngineBalancer(
  settings: RestateSettings,
  {hostname, port, workers}: BalancerOptions,
): Promise<EngineBalancer> {
  requireSignatures(settings, hostname);
  const all = workers.map((url) => new BalancedWorker(url));
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    // It ends with its stream.
    stream.on('error', () => undefined);
    void forward(stream, headers, all);
  });
  const url = await listenOn(server, hostname, port);
  return {
    url,
    async close() {
      for (const session of sessions) session.destroy();
      for (const worker of all) worker.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

class BalancedWorker {
  readonly #url: string;
  #session: ClientHttp2Session | undefined;
  #restsUntil = 0;
  streams = 0;
  /** When it got its last request. */
  usedAt = 0;

  constructor(url: string) {
    this.#url = url;
  }

  get rests(): boolean {
    return performance.now() < this.#restsUntil;
  }

  rest(): void {
    this.#restsUntil = performance.now() + restMs;
  }

  /** Undefined: the worker is not reachable. */
  async open(headers: IncomingHttpHeaders): Promise<ClientHttp2Stream | undefined> {
    try {
      const session = await this.#connected();
      const {':authority': _authority, ...forwarded} = headers;
      return session.request({...forwarded, ':authority': new URL(this.#url).host});
    } catch {
      // The next worker gets the request.
      this.rest();
      return undefined;
    }
  }

  close(): void {
    this.#session?.destroy();
  }

  async #connected(): Promise<ClientHttp2Session> {
    if (this.#session?.closed === false && !this.#session.destroyed) return this.#session;
    const session = connect(this.#url);
    session.on('error', () => session.destroy());
    await once(session, 'connect');
    this.#session = session;
    return session;
  }
}

/** Those with the fewest requests first; of these, the one whose last request was longest ago. */
function byLoad(one: BalancedWorker, other: BalancedWorker): number {
  return one.streams - other.streams || one.usedAt - other.usedAt;
}

async function forward(
  from: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  workers: readonly BalancedWorker[],
): Promise<void> {
  for (const worker of workers.filter(({rests}) => !rests).toSorted(byLoad)) {
    worker.streams += 1;
    worker.usedAt = performance.now();
    const to = await worker.open(headers);
    if (to !== undefined) return joinStreams(from, to, worker);
    worker.streams -= 1;
    if (isOver(from)) return;
  }
  if (isOver(from)) return;
  from.respond({[statusHeader]: unavailable}, {endStream: true});
}

function joinStreams(from: ServerHttp2Stream, to: ClientHttp2Stream, worker: BalancedWorker): void {
  from.pipe(to);
  to.once('response', (response) => {
    // A worker that drains refuses requests.
    if (Number(response[statusHeader]) === unavailable) worker.rest();
    if (isOver(from)) return;
    from.respond(response);
    to.pipe(from, {end: false});
  });
  // A stream that was reset ends too.
  to.once('end', () => {
    if (to.rstCode === 0 && !isOver(from)) from.end();
  });
  to.on('error', () => undefined);
  to.once('close', () => {
    worker.streams -= 1;
    if (!from.destroyed && (to.rstCode !== 0 || !to.readableEnded)) from.close(broken);
  });
  const cancel = (): void => {
    if (!to.destroyed) to.close(cancelled);
  };
  // It can have ended while the worker was connected.
  if (isOver(from)) cancel();
  else from.once('close', cancel);
}

/** Nothing can be sent on a stream that its other end has reset, even before it is destroyed. */
function isOver(stream: ServerHttp2Stream): boolean {
  return stream.destroyed || stream.closed;
}
