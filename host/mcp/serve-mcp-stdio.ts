// MCP over the process's stdin and stdout. Nothing else may write to stdout while it runs.
import type {KernelRuntime} from '@lumenflow/kernel';
import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import type {Readable, Writable} from 'node:stream';
import type {Session} from '../sessions/open-session.ts';
import {oneConversation} from './conversation.ts';
import {createMcpServer, type McpServer} from './create-mcp-server.ts';
import type {ToolFilter} from './tool-filter.ts';
import {reportResourceUpdates} from './resources/resource-updates.ts';

export interface McpStdioOptions {
  readonly version: string;
  readonly isWanted: ToolFilter;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  onError(error: unknown): void;
}

/** Resolves when the client closes its end, or the signal aborts. */
export async function serveMcpStdio(runtime: KernelRuntime, session: Session, options: McpStdioOptions): Promise<void> {
  const {version, isWanted, stdin, stdout, signal, onError} = options;
  const ended = endOf(stdin, signal);
  const conversations = oneConversation(runtime, session);
  let current: McpServer | undefined;
  const unsubscribe = runtime.packs.subscribe(() => void current?.tellChanges().catch(onError));
  const stopReports = reportResourceUpdates(runtime, session, (uri) => void current?.tellUpdate(uri).catch(onError));
  const handle = serveStdio(
    // Called again if the client uses the older protocol; the last server stays.
    ({era}) => (current = createMcpServer({conversations, version, era, isWanted})).server,
    {transport: new StdioServerTransport(stdin, stdout), onerror: onError},
  );
  await ended;
  unsubscribe();
  stopReports();
  await handle.close();
}

async function endOf(stdin: Readable, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
}
