// MCP servers of others behind the kernel: real ones from npm.
import {openTokenStore, startHttpServer, type Host, type Session} from '@lumenflow/host';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, relative, sep} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {must, type HostWorkspace} from '../../support/host-workspace.ts';
import {createClient} from '../../support/mcp-desk.ts';
import {makeUpstream, run, within, type PinnedTools} from '../../support/upstream-workspace.ts';
import {opened} from '../../support/opened.ts';

const {resolve} = createRequire(import.meta.url);
const programOf = (name: string): string => join(dirname(resolve(`${name}/package.json`)), 'dist/index.js');
const modules = `${sep}node_modules${sep}`;

describe('servers from npm', () => {
  let workspace: HostWorkspace;
  let host: Host;
  let session: Session;

  beforeAll(async () => {
    workspace = makeUpstream((root) => {
      const pin = (
        id: string,
        version: string,
        tools: PinnedTools,
        [name, ...args]: [string, ...string[]],
      ): PackPin => {
        const program = programOf(`@modelcontextprotocol/server-${name}`);
        const path = relative(root, program.slice(0, program.indexOf(modules) + modules.length - 1));
        const memory = join(root, 'memory/graph.jsonl');
        const command: PackPin['command'] = ['env', `MEMORY_FILE_PATH=${memory}`, 'node', program, ...args];
        const serial = id === 'memory';
        return {id, version, integrity: 'dev', source: 'mcp', command, path, tools, serial};
      };
      const filesystem: PinnedTools = {
        read_text_file: {permission: 'read', required_scopes: within('docs', 'read')},
        write_file: {permission: 'write', required_scopes: within('docs', 'write')},
      };
      const memory: PinnedTools = {
        create_entities: {permission: 'write', required_scopes: within('memory', 'write')},
        read_graph: {permission: 'read', required_scopes: within('memory', 'read')},
      };
      const demonstration: PinnedTools = {
        'get-sum': {permission: 'read'},
        'get-tiny-image': {permission: 'read'},
        'get-structured-content': {permission: 'read'},
      };
      return [
        pin('fs', '0.2.0', filesystem, ['filesystem', '.']),
        pin('memory', '0.6.3', memory, ['memory']),
        pin('all', '2.0.0', demonstration, ['everything']),
      ];
    });
    expect(await run(workspace.root, 'pack', 'install')).not.toContain('"error"');
    for (const id of ['fs', 'memory', 'all']) await run(workspace.root, 'pack', 'approve', id, '--as', 'olga');
    host = await workspace.start();
    session = opened(await host.openSession({by: 'ann'}));
  }, 120_000);
  afterAll(async () => {
    await workspace.remove();
  });

  it('are called in the sandbox, with their receipts', async () => {
    const read = await session.call('fs:read-text-file', {path: 'docs/a.md'});
    expect(read).toMatchObject({success: true, data: {structuredContent: {content: 'hello\n'}}});
    const receipt = await host.runtime.evidence.receipt(read.metadata?.receipt_id ?? '');
    expect(receipt?.started).toMatchObject({tool_name: 'fs:read-text-file', execution_mode: 'sandbox'});
    expect(receipt?.finished).toMatchObject({
      result: 'success',
      enforcement: {tier: expect.stringMatching(/standard|hardened/)},
    });
    expect(await must(session, 'all:get--sum', {a: 1, b: 2})).toMatchObject({
      content: [{text: expect.stringContaining('3')}],
    });
    await must(session, 'memory:create-entities', {entities: [{name: 'a', entityType: 'b', observations: ['c']}]});
    expect(await must(session, 'memory:read-graph')).toMatchObject({structuredContent: {entities: [{name: 'a'}]}});
  });

  it('of which one runs its calls in sequence, also those of other hosts', async () => {
    const other = opened(await (await workspace.start()).openSession({by: 'ben'}));
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const create = async (name: string, index: number) =>
      await must(index % 2 === 0 ? session : other, 'memory:create-entities', {
        entities: [{name, entityType: 'number', observations: []}],
      });
    await Promise.all(names.map(create));
    const {structuredContent: graph} = (await must(session, 'memory:read-graph')) as {
      readonly structuredContent: {readonly entities: readonly {readonly name: string}[]};
    };
    expect(graph.entities.map(({name}) => name)).toEqual(expect.arrayContaining(names));
  });

  it('write what was granted and nothing else', async () => {
    await must(session, 'fs:write-file', {path: 'docs/b.md', content: 'written'});
    expect(readFileSync(join(workspace.root, 'docs/b.md'), 'utf8')).toBe('written');
    const beyond = await session.call('fs:write-file', {path: 'secret.txt', content: 'gone'});
    expect(beyond).toMatchObject({success: false, error: {code: 'TOOL_EXECUTION_FAILED'}});
    expect(readFileSync(join(workspace.root, 'secret.txt'), 'utf8')).toBe('hidden\n');
    const unseen = await session.call('fs:read-text-file', {path: 'secret.txt'});
    expect(unseen.error?.message).toContain('ENOENT');
  });

  it('are asked for nothing that policy denies, and have no tool that the pin does not name', async () => {
    const denied = await session.call('fs:write-file', {path: 'docs/draft.md', content: ''});
    expect(denied.error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'no-drafts'}});
    expect(existsSync(join(workspace.root, 'docs/draft.md'))).toBe(false);
    expect((await session.call('fs:edit-file', {})).error).toMatchObject({code: 'TOOL_NOT_FOUND'});
    expect((await session.call('all:get--sum', {a: 'x'})).error).toMatchObject({code: 'INVALID_INPUT'});
  });

  it('reach MCP clients under nearly their own names, with content of every type', async () => {
    const tokens = openTokenStore(workspace.root);
    const token = await tokens.issue({name: 'ben', role: 'agent'});
    const server = await startHttpServer(host, {tokens, version: '0.0.0'});
    const client = createClient('modern');
    const requestInit = {headers: {authorization: `Bearer ${token}`}};
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {requestInit}));
    const {tools} = await client.listTools();
    expect(tools.map(({name}) => name)).toEqual(
      expect.arrayContaining(['fs_read_text_file', 'memory_read_graph', 'all_get__tiny__image']),
    );
    const image = await client.callTool({name: 'all_get__tiny__image', arguments: {}});
    expect(image.content).toContainEqual(expect.objectContaining({type: 'image', mimeType: 'image/png'}));
    const weather = await client.callTool({name: 'all_get__structured__content', arguments: {location: 'Chicago'}});
    expect(weather.structuredContent).toHaveProperty('temperature');
    await client.close();
    await server.close();
  });
});
