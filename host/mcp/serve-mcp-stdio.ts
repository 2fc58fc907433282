// MCP over the process's stdin and stdout. Nothing else may write to stdout while it runs.
import type {KernelRuntime} from '@lumenflow/kernel';
import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import type {Readable, Writable} from 'node:stream';
import type {Session} from '../sessions/open-session.ts';
import {lateConversation} from './conversation.ts';
import {createMcpServer, type McpServer} from './create-mcp-server.ts';
import {reportResourceUpdates} from './resources/resource-updates.ts';

export interface McpStdioOptions {
  readonly version: string;
  /** Patterns of the tools that the client wants to list; default all. */
  readonly tools?: string | undefined;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  onError(error: unknown): void;
  /** Called for what the client did wrong. */
  onMistake(message: string): void;
}

export interface OpenWorkspace {
  readonly runtime: KernelRuntime;
  readonly session: Session;
  readonly workspaceRoot?: string;
}

/**
 * Resolves when the client closes its end, or the signal aborts. The handshake does not wait for `open`. While that rejects
 * with Unavailable, each request calls it again.
 */
export async function serveMcpStdio(open: () => Promise<OpenWorkspace>, options: McpStdioOptions): Promise<void> {
  const {version, tools, stdin, stdout, signal, onError, onMistake} = options;
  const ended = endOf(stdin, signal);
  const stops: (() => void)[] = [];
  let current: McpServer | undefined;
  const notifyChanges = (): void => void current?.notifyChanges().catch(onError);
  const conversations = lateConversation(async (isRetry) => {
    const opened = await open();
    const {runtime, session} = opened;
    stops.push(
      runtime.packs.subscribe(notifyChanges),
      reportResourceUpdates(runtime, session, (uri) => void current?.reportUpdate(uri).catch(onError)),
    );
    if (isRetry) notifyChanges();
    return opened;
  });
  const handle = serveStdio(
    // Called again if the client uses the older protocol; the last server stays.
    ({era}) => (current = createMcpServer({conversations, version, era, tools})).server,
    {
      transport: new StdioServerTransport(stdin, stdout),
      onerror: (error) => (isMalformed(error) ? onMistake(ignored) : onError(error)),
    },
  );
  // The workspace loads while the client completes the handshake.
  conversations.during(() => undefined).catch(onError);
  await ended;
  for (const stop of stops) stop();
  await handle.close();
}

const ignored = 'a message of the client is not valid JSON-RPC, and was ignored';

/** The errors of a JSON parser and of the SDK's validator. */
function isMalformed({name}: Error): boolean {
  return name === 'SyntaxError' || name === 'ZodError' || name === '$ZodError';
}

async function endOf(stdin: Readable, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
}
