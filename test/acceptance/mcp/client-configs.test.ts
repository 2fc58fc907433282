// The config files of clients in the docs: their commands are started from a folder outside of the workspace.
import {Client, StreamableHTTPClientTransport, type Transport} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {openTokenStore, startHttpServer} from '@lumenflow/host';
import {mkdirSync, readFileSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {blocksOf} from '../../support/doc-page.ts';
import {everything, type HostWorkspace} from '../../support/host-workspace.ts';
import {makeDesk} from '../../support/mcp-desk.ts';

const repository = join(import.meta.dirname, '../../..');
const configs = blocksOf(readFileSync(join(repository, 'docs/mcp.md'), 'utf8')).filter(({info}) =>
  info.endsWith('not run: the config file of a client'),
);

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let desk: HostWorkspace;
beforeAll(() => {
  desk = makeDesk({spec: {lanes: [{id: 'main', allowed_scopes: everything, wip_limit: 10}]}});
  // As npm links it.
  mkdirSync(join(desk.root, 'node_modules/.bin'), {recursive: true});
  symlinkSync(join(repository, 'host/lumenflow.mjs'), join(desk.root, 'node_modules/.bin/lumenflow'));
});
afterAll(async () => {
  await desk.remove();
});

/** The entry for `lumenflow`, under the client's key. */
function entryIn({info, text}: {readonly info: string; readonly text: string}): Entry {
  const placed = text.replaceAll('/path/to/workspace', desk.root).replaceAll('${workspaceFolder}', desk.root);
  if (info.startsWith('toml')) {
    const lines = [...placed.matchAll(/^(\w+) = (.*)$/gm)];
    return Object.fromEntries(lines.map(([, key, value]) => [key, JSON.parse(value ?? '')])) as Entry;
  }
  const [servers] = Object.values(JSON.parse(placed) as Record<string, Record<string, Entry>>);
  return servers?.['lumenflow'] ?? {};
}

async function toolsOver(transport: Transport): Promise<readonly string[]> {
  const client = new Client({name: 'a-client', version: '1.0.0'});
  await client.connect(transport);
  const {tools} = await client.listTools();
  await client.close();
  return tools.map(({name}) => name);
}

describe('the config files in docs/mcp.md', () => {
  it('are there for the common clients', () => {
    expect(configs).toHaveLength(5);
  });

  it.each(configs)('work unchanged: line $line', async (config) => {
    const {command = '', args = [], url, headers} = entryIn(config);
    if (url === undefined) {
      const env = {PATH: process.env['PATH'] ?? '', HOME: desk.root};
      const transport = new StdioClientTransport({command, args: [...args], cwd: tmpdir(), stderr: 'ignore', env});
      expect(await toolsOver(transport)).toContain('desk_add');
      return;
    }
    const tokens = openTokenStore(desk.root);
    const server = await startHttpServer(await desk.start(), {tokens, version: '0.0.0'});
    const token = await tokens.issue({name: 'claude', role: 'agent'});
    const authorization = headers?.['authorization']?.replace('lf_…', token) ?? '';
    const address = new URL(url.replace(':8787', `:${server.port}`));
    const transport = new StreamableHTTPClientTransport(address, {requestInit: {headers: {authorization}}});
    expect(await toolsOver(transport)).toContain('desk_add');
    await server.close();
  });
});
