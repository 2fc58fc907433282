// Lists the tools of six MCP servers into listed-servers.json, for the measurement of the search: names, descriptions and input
// properties, as the servers return them. Needs the npm registry.
import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';
import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const servers = [
  ['everything', '@modelcontextprotocol/server-everything@2026.8.31'],
  ['filesystem', '@modelcontextprotocol/server-filesystem@2026.8.31', tmpdir()],
  ['memory', '@modelcontextprotocol/server-memory@2026.8.31'],
  ['github', '@modelcontextprotocol/server-github@2025.4.8'],
  ['playwright', '@playwright/mcp@0.0.83', '--headless'],
  ['notion', '@notionhq/notion-mcp-server@2.5.2'],
] as const;

const listed = [];
for (const [id, name, ...args] of servers) listed.push({id, package: name, tools: await list(name, args)});
writeFileSync(join(import.meta.dirname, 'listed-servers.json'), `${JSON.stringify(listed, undefined, 1)}\n`);

async function list(name: string, args: readonly string[]): Promise<readonly object[]> {
  const client = new Client({name: 'list-servers', version: '1.0.0'});
  // Some servers refuse to start without a token, although listing needs none.
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: tmpdir(),
    NOTION_TOKEN: 'none',
    GITHUB_PERSONAL_ACCESS_TOKEN: 'none',
  };
  await client.connect(new StdioClientTransport({command: 'npx', args: ['-y', name, ...args], env, stderr: 'ignore'}));
  const {tools} = await client.listTools();
  await client.close();
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description ?? '',
    input_schema: withoutDetails(tool.inputSchema),
  }));
}

function withoutDetails({
  properties = {},
}: {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}): object {
  const described = Object.entries(properties).map(([name, property]) => {
    const {description} = property as {readonly description?: unknown};
    return [name, description === undefined ? {} : {description}];
  });
  return {type: 'object', properties: Object.fromEntries(described) as object};
}
