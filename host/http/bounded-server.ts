// An HTTP server with bounds on its open connections, and on the time that a request takes to arrive.
import {boundConnections} from '@lumenflow/sandbox';
import {createServer, type RequestListener, type Server, type ServerOptions} from 'node:http';

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
  boundConnections(server, connectionsMax);
  return server;
}
