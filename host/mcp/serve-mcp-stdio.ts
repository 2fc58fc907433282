// MCP over the process's own stdin and stdout, on which nothing else may be written meanwhile.
import type {Server} from '@modelcontextprotocol/server';
import {serveStdio, StdioServerTransport} from '@modelcontextprotocol/server/stdio';
import type {Readable, Writable} from 'node:stream';
import type {Conversation} from './conversation.ts';
import {createMcpServer} from './create-mcp-server.ts';

export interface McpStdioOptions {
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
  onError(error: unknown): void;
}

/** Resolves when the client has closed its end, or the signal aborts. */
export async function serveMcpStdio(conversation: Conversation, options: McpStdioOptions): Promise<void> {
  const {version, stdin, stdout, signal, onError} = options;
  const ended = endOf(stdin, signal);
  let server: Server | undefined;
  const unsubscribe = conversation.runtime.packs.subscribe(() => void server?.sendToolListChanged().catch(onError));
  const handle = serveStdio(
    // Asked for once more when the client turns out to speak the older protocol; the last one stays.
    () => (server = createMcpServer(conversation, version)),
    {transport: new StdioServerTransport(stdin, stdout), onerror: onError},
  );
  await ended;
  unsubscribe();
  await handle.close();
}

async function endOf(stdin: Readable, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve(), {once: true});
  });
}
