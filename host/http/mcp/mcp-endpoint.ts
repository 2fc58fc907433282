// `/mcp`: MCP over HTTP, for authenticated callers. A caller's clients share one session per lane. Each client uses the newer
// protocol request by request, or the older one with a handshake.
import {createMcpHandler, isLegacyRequest, type McpHttpHandler, type ProtocolEra} from '@modelcontextprotocol/server';
import {createToolCatalogue, type ToolCatalogue} from '../../exec/index.ts';
import {createMcpServer, parseToolFilter, type McpServer} from '../../mcp/index.ts';
import {failedReply, refuse, type Reply} from '../reply.ts';
import type {HttpHost} from '../route.ts';
import type {CallerWatch} from '../tokens/caller-watch.ts';
import type {Principal} from '../tokens/token-store.ts';
import {createCallerSession, type CallerSession} from './caller-session.ts';
import {createClientSessions, type ClientSessions} from './client-sessions.ts';

export interface McpEndpointOptions {
  readonly host: HttpHost;
  readonly version: string;
  /** Idle time in milliseconds after which a caller's session ends. */
  readonly idleMs: number;
  readonly watch: CallerWatch;
  onError(error: unknown): void;
}

export interface McpEndpoint {
  /**
   * `body` is what the request's was read to, if it may have one. The lane of a new session is the address's `lane`,
   * default the workspace's first; its `tools` selects the tools that are listed.
   */
  serve(request: Request, body: unknown, from: McpCaller): Promise<Response | Reply>;
  /** Cancels running requests, and ends streams and sessions. */
  close(): Promise<void>;
}

export interface McpCaller {
  readonly caller: Principal;
  /** Whether the token of the request is still valid. */
  isStillAllowed(): boolean;
}

interface Line {
  readonly session: CallerSession;
  readonly modern: McpHttpHandler;
  readonly legacy: ClientSessions;
  /** Of the caller's newest request. The line ends with its token. */
  isAllowed: () => boolean;
  unfollow: () => void;
}

const firstWithoutHandshake = '2026-07-28';

export function createMcpEndpoint({host, version, idleMs, watch, onError}: McpEndpointOptions): McpEndpoint {
  const lines = new Map<string, Line>();
  const catalogue = createToolCatalogue(host.runtime);
  const unsubscribe = host.runtime.packs.subscribe(() => lines.forEach(notifyChanges));
  const sweeping = setInterval(() => {
    for (const {session} of lines.values()) session.endIfIdle().catch(onError);
  }, idleMs / 4);
  sweeping.unref();

  function open(key: string, from: McpCaller, url: URL): Line {
    const opened = openLine({host, version, idleMs, onError, catalogue}, from, url);
    const line: Line = {...opened, isAllowed: from.isStillAllowed, unfollow: () => undefined};
    line.unfollow = watch.follow({
      isOfPerson: from.caller.person !== undefined,
      isAllowed: () => line.isAllowed(),
      end() {
        lines.delete(key);
        end(line).catch(onError);
      },
    });
    return line;
  }

  function lineOf(from: McpCaller, url: URL): Line {
    const key = JSON.stringify([from.caller.name, url.searchParams.get('lane')]);
    const line = lines.get(key) ?? open(key, from, url);
    line.isAllowed = from.isStillAllowed;
    lines.set(key, line);
    return line;
  }

  async function answer(request: Request, body: unknown, {session, modern, legacy}: Line): Promise<Response | Reply> {
    const failure = request.method === 'POST' ? await session.open() : undefined;
    if (failure) return failedReply(failure);
    // A request that names a newer revision is not checked for the marks of the older version.
    const isNew = (request.headers.get('mcp-protocol-version') ?? '') >= firstWithoutHandshake;
    if (!isNew && (await isLegacyRequest(request, body))) return guarded(await legacy.serve(request, body));
    return guarded(await modern.fetch(request, body === undefined ? {} : {parsedBody: body}));
  }

  return {
    async serve(request, body, from) {
      const filter = parseToolFilter(host.runtime, patternsOf(request));
      if (!filter.ok) return refuse('INVALID_INPUT', `${filter.problem.message}: ${filter.problem.help}`);
      return await answer(request, body, lineOf(from, new URL(request.url)));
    },
    async close() {
      unsubscribe();
      clearInterval(sweeping);
      await Promise.all([...lines.values()].map(end));
    },
  };
}

function openLine(
  {host, version, idleMs, catalogue, onError}: Omit<McpEndpointOptions, 'watch'> & {readonly catalogue: ToolCatalogue},
  {caller}: McpCaller,
  url: URL,
): Pick<Line, 'session' | 'modern' | 'legacy'> {
  const session = createCallerSession({
    host,
    catalogue,
    by: caller.name,
    person: caller.person,
    lane: url.searchParams.get('lane'),
    dashboard: url.origin,
    idleMs,
    now: () => performance.now(),
    onUpdate(uri) {
      modern.notify.resourceUpdated(uri);
      legacy.notify((mcp) => mcp.reportUpdate(uri));
    },
  });
  const serverFor = (era: ProtocolEra, request: Request | undefined): McpServer =>
    createMcpServer({conversations: session, version, era, tools: request && patternsOf(request)});
  const modern = createMcpHandler(({requestInfo}) => serverFor('modern', requestInfo).server, {legacy: 'reject'});
  const legacy = createClientSessions((request) => serverFor('legacy', request), onError);
  return {session, modern, legacy};
}

function patternsOf(request: Request): string | undefined {
  return new URL(request.url).searchParams.get('tools') ?? undefined;
}

function notifyChanges({modern, legacy}: Line): void {
  modern.notify.toolsChanged();
  modern.notify.promptsChanged();
  modern.notify.resourcesChanged();
  legacy.notify((mcp) => mcp.notifyChanges());
}

async function end({session, modern, legacy, unfollow}: Line): Promise<void> {
  unfollow();
  await Promise.all([modern.close(), legacy.close()]);
  await session.close();
}

function guarded(response: Response): Response {
  response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  return response;
}
