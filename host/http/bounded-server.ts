// An HTTP server whose open connections are bounded. When there are too many, a connection without a request in progress is
// closed, so clients that never complete a request cannot keep others out.
import {createServer, type RequestListener, type Server, type ServerOptions} from 'node:http';
import type {Socket} from 'node:net';

export interface ServerLimits extends Pick<
  ServerOptions,
  'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'connectionsCheckingInterval'
> {
  readonly connectionsMax: number;
}

export const serverLimits: ServerLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // Clients reuse connections after long pauses, for example while they compile the schemas of all tools.
  keepAliveTimeout: 75_000,
  // Node checks the timeouts above only this often.
  connectionsCheckingInterval: 1_000,
  connectionsMax: 1_000,
};

export function createBoundedServer(listener: RequestListener, {connectionsMax, ...limits}: ServerLimits): Server {
  const server = createServer(limits, listener);
  /** Connections that have not completed a request, and those between two requests; the oldest first. */
  const silent = new Set<Socket>();
  const idle = new Set<Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    silent.add(socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(socket);
      idle.delete(socket);
    });
    if (open > connectionsMax) closeOne(silent.size > 1 ? silent : idle, socket);
  });
  server.on('request', ({socket}, response) => {
    silent.delete(socket);
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
  return server;
}

/** Closes the newest connection if the others are all in use. */
function closeOne([oldest]: ReadonlySet<Socket>, newest: Socket): void {
  (oldest ?? newest).destroy();
}
