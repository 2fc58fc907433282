// Bounds the open connections of an HTTP server. When there are too many, a connection without a request in progress is closed, so
// clients that never complete a request cannot keep others out.
import type {Server} from 'node:http';
import type {Socket} from 'node:net';

export interface BoundConnections {
  /** Closes connections between two requests, and each other one after its next response. */
  closeIdle(): void;
}

/** `server`: before it listens, with or without TLS. */
export function boundConnections(server: Server, connectionsMax: number): BoundConnections {
  let isClosing = false;
  /** Connections that have not completed a request, and those between two requests; the oldest first. */
  const silent = new Set<Socket>();
  const idle = new Set<Socket>();
  /** With TLS, the socket of a request is another one than that of its connection. */
  const byClient = new Map<string, Socket>();
  let open = 0;
  server.on('connection', (socket: Socket) => {
    const client = clientOf(socket);
    open += 1;
    silent.add(socket);
    byClient.set(client, socket);
    socket.once('close', () => {
      open -= 1;
      silent.delete(socket);
      idle.delete(socket);
      if (byClient.get(client) === socket) byClient.delete(client);
    });
    if (open > connectionsMax) closeOne(silent.size > 1 ? silent : idle, socket);
  });
  server.on('request', (request, response) => {
    const socket = byClient.get(clientOf(request.socket));
    if (socket === undefined) return;
    silent.delete(socket);
    idle.delete(socket);
    response.once('close', () => {
      if (isClosing) socket.destroySoon();
      else if (!socket.destroyed) idle.add(socket);
    });
  });
  // The system can refuse to accept a connection, for example without memory: the server continues with the next one.
  server.once('listening', () => server.on('error', () => undefined));
  return {
    closeIdle() {
      isClosing = true;
      for (const socket of idle) socket.destroy();
    },
  };
}

function clientOf({remoteAddress, remotePort}: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Closes the newest connection if the others are all in use. */
function closeOne([oldest]: ReadonlySet<Socket>, newest: Socket): void {
  (oldest ?? newest).destroy();
}
