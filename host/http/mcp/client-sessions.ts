// Clients of the protocol's older era, which begin with a handshake: each has a session id, a stream that the server can
// ask it on, and an end of its own. What is asked with an id that is not known here is answered 404, as the protocol says.
import {WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import {randomUUID} from 'node:crypto';
import type {McpServer} from '../../mcp/index.ts';

export interface ClientSessions {
  serve(request: Request, parsedBody: unknown): Promise<Response>;
  /** To every client that is there. */
  tell(say: (server: McpServer) => Promise<void>): void;
  /** Cancels what runs for them. */
  close(): Promise<void>;
}

interface ClientSession {
  readonly mcp: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** Of one caller; the one that was used longest ago makes room. */
const sessionsMax = 64;

export function createClientSessions(createServer: () => McpServer, onError: (error: unknown) => void): ClientSessions {
  const sessions = new Map<string, ClientSession>();

  async function open(): Promise<ClientSession> {
    const mcp = createServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
    });
    const session = {mcp, transport};
    // The end comes with a DELETE, too; the SDK cancels the calls in flight with it.
    const onclose = (): void => void sessions.delete(transport.sessionId ?? '');
    Object.assign(mcp.server, {onclose, onerror: onError});
    await mcp.server.connect(transport);
    const [oldest] = sessions.values();
    if (sessions.size >= sessionsMax) await oldest?.mcp.server.close();
    return session;
  }

  return {
    async serve(request, parsedBody) {
      const id = request.headers.get('mcp-session-id');
      const known = id === null ? await open() : sessions.get(id);
      if (!known) return unknownSession();
      if (id !== null) {
        sessions.delete(id);
        sessions.set(id, known);
      }
      const options = parsedBody === undefined ? {} : {parsedBody};
      const response = await known.transport.handleRequest(request, options);
      // It was no handshake: the transport has said so, and nobody can come back to it.
      if (known.transport.sessionId === undefined) await known.mcp.server.close();
      return response;
    },
    tell(say) {
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
