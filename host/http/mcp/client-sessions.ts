// Sessions of clients with the protocol's older version, which start with a handshake. Each has an id, a stream for server
// requests, and its own end. An unknown id gets 404, as the protocol requires.
import {WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import {randomUUID} from 'node:crypto';
import type {McpServer} from '../../mcp/index.ts';

export interface ClientSessions {
  serve(request: Request, parsedBody: unknown): Promise<Response>;
  /** Notifies every connected client. */
  notify(say: (server: McpServer) => Promise<void>): void;
  /** Cancels running requests. */
  close(): Promise<void>;
}

interface ClientSession {
  readonly mcp: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** Per caller; a new session replaces the least recently used one. */
const sessionsMax = 64;

export function createClientSessions(
  createServer: (request: Request) => McpServer,
  onError: (error: unknown) => void,
): ClientSessions {
  const sessions = new Map<string, ClientSession>();

  async function open(request: Request): Promise<ClientSession> {
    const mcp = createServer(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    const session = {mcp, transport};
    // A DELETE also ends the session. The SDK then cancels the calls in progress.
    const onclose = (): void => void sessions.delete(transport.sessionId ?? '');
    // Without `onerror`: the SDK reports there what clients did wrong, and answers them itself.
    Object.assign(mcp.server, {onclose});
    await mcp.server.connect(transport);
    const [oldest] = sessions.values();
    if (sessions.size >= sessionsMax) await oldest?.mcp.server.close();
    return session;
  }

  return {
    async serve(request, parsedBody) {
      const id = request.headers.get('mcp-session-id');
      const known = id === null ? await open(request) : sessions.get(id);
      if (!known) return unknownSession();
      if (id !== null) {
        sessions.delete(id);
        sessions.set(id, known);
      }
      const options = parsedBody === undefined ? {} : {parsedBody};
      const response = await known.transport.handleRequest(request, options);
      // The request was not a handshake. The transport has reported the error, and no client can use this session.
      if (known.transport.sessionId === undefined) await known.mcp.server.close();
      return response;
    },
    notify(say) {
      for (const {mcp} of sessions.values()) say(mcp).catch(onError);
    },
    async close() {
      await Promise.all([...sessions.values()].map(async ({mcp}) => await mcp.server.close()));
    },
  };
}

function unknownSession(): Response {
  const error = {code: -32_001, message: 'this session does not exist: start a new one with `initialize`'};
  return Response.json({jsonrpc: '2.0', error, id: null}, {status: 404});
}
