// A workspace with tools for MCP clients, and clients of both eras of the protocol that talk to it.
import {Client, type ClientOptions} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {join} from 'node:path';
import {everything, makeHostWorkspace, type HostWorkspace, type HostWorkspaceWords} from './host-workspace.ts';

const programPath = join(import.meta.dirname, '..', '..', 'host', 'lumenflow.mjs');

/** Of the protocol: with a handshake, or with each request speaking for itself. */
export type Era = 'legacy' | 'modern';
export const eras: readonly Era[] = ['legacy', 'modern'];

export function makeDesk(words: HostWorkspaceWords = {}): HostWorkspace {
  const {spec, ...more} = words;
  return makeHostWorkspace({
    copied: {desk: join(import.meta.dirname, '..', 'acceptance', 'mcp', 'tools-pack')},
    pins: {desk: {trust: 'in_process'}},
    // Tests see by its file that it waits.
    direct: ['desk:wait'],
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: everything, wip_limit: 50},
        {id: 'other', allowed_scopes: everything, wip_limit: 50},
      ],
      ...spec,
    },
    ...more,
  });
}

export function createClient(era: Era, options: ClientOptions = {}): Client {
  const mode = era === 'legacy' ? 'legacy' : {pin: '2026-07-28'};
  return new Client({name: 'a-test', version: '1.0.0'}, {versionNegotiation: {mode}, ...options});
}

export interface DeskClient {
  readonly client: Client;
  /** What the program said beside the protocol. */
  readonly stderr: () => string;
  readonly transport: StdioClientTransport;
}

/** Starts `lumenflow mcp` as a client does. */
export async function connectDesk(
  root: string,
  client: Client,
  args: readonly string[] = ['--as', 'ann'],
): Promise<DeskClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programPath, 'mcp', ...args],
    cwd: root,
    stderr: 'pipe',
    env: {PATH: process.env['PATH'] ?? '', HOME: root},
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await client.connect(transport);
  return {client, transport, stderr: () => said};
}
