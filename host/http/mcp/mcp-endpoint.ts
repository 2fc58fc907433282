// `/mcp`: MCP over HTTP, for callers that were let in already. Requests stand alone; what a caller's calls have in common
// is a session of its own, opened with its first request and ended with the server.
import {createMcpHandler, type McpHttpHandler} from '@modelcontextprotocol/server';
import {createMcpServer, openConversation} from '../../mcp/index.ts';
import {SessionError, type Session} from '../../sessions/open-session.ts';
import {failed, type Reply} from '../reply.ts';
import type {HttpHost} from '../route.ts';
import type {Principal} from '../tokens/token-store.ts';

export interface McpEndpointOptions {
  readonly host: HttpHost;
  readonly version: string;
  onError(error: unknown): void;
}

export interface McpEndpoint {
  /** The lane of a new session is the address's `lane`, default the workspace's first. */
  serve(request: Request, caller: Principal): Promise<Response | Reply>;
  /** Cancels what runs, ends streams and sessions. */
  close(): Promise<void>;
}

interface Line {
  readonly session: Session;
  readonly handler: McpHttpHandler;
}

export function createMcpEndpoint({host, version, onError}: McpEndpointOptions): McpEndpoint {
  const {runtime} = host;
  const lines = new Map<string, Promise<Line>>();
  const closing = new AbortController();
  const unsubscribe = runtime.packs.subscribe(() => {
    for (const line of lines.values()) line.then(({handler}) => handler.notify.toolsChanged(), onError);
  });

  async function open(by: string, lane: string | null): Promise<Line> {
    const session = await host.openSession({by, ...(lane !== null && {lane})});
    const conversation = openConversation(runtime, session);
    return {session, handler: createMcpHandler(() => createMcpServer(conversation, version), {onerror: onError})};
  }

  /** Of a task that somebody ended meanwhile, there is no going on. */
  async function lineOf(by: string, lane: string | null): Promise<Line> {
    const key = JSON.stringify([by, lane]);
    const known = lines.get(key);
    if (known && (await isStanding((await known).session))) return await known;
    // Others may have found the same, and opened one.
    const current = lines.get(key);
    if (current && current !== known) return await current;
    const opened = open(by, lane);
    lines.set(key, opened);
    opened.catch(() => lines.delete(key));
    return await opened;
  }

  async function isStanding({task_id, run_id}: Session): Promise<boolean> {
    const found = await runtime.inspectTask(task_id);
    return found.success && found.data.state !== 'done' && found.data.run?.run_id === run_id;
  }

  return {
    async serve(request, caller) {
      try {
        const {handler} = await lineOf(caller.name, new URL(request.url).searchParams.get('lane'));
        return guarded(await handler.fetch(cancellable(request, closing.signal)));
      } catch (error) {
        if (error instanceof SessionError) return failed(error.failure);
        throw error;
      }
    },
    async close() {
      unsubscribe();
      closing.abort();
      const standing = await Promise.allSettled(lines.values());
      await Promise.all(standing.flatMap((line) => (line.status === 'fulfilled' ? end(line.value) : [])));
    },
  };
}

async function end({session, handler}: Line): Promise<void> {
  await handler.close();
  if (!(await session.complete()).success) await session.release('the server is closing');
}

/** Cancelled when the client is gone, and when the server closes. */
function cancellable({method, url, headers, body, signal}: Request, closing: AbortSignal): Request {
  return new Request(url, {
    method,
    headers,
    signal: AbortSignal.any([signal, closing]),
    ...(body && {body, duplex: 'half'}),
  });
}

function guarded({status, headers, body}: Response): Response {
  const response = new Response(body, {status, headers});
  response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  return response;
}
