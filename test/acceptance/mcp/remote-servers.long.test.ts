// MCP servers that are reached over HTTP: their sessions, and the credentials that only they see.
import type {Host, Session} from '@lumenflow/host';
import {getRequestListener} from '@hono/node-server';
import {Server, WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/server';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {randomUUID} from 'node:crypto';
import {lstatSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer, type Server as HttpServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {runProgram} from '../../support/lumenflow-program.ts';
import {opened} from '../../support/opened.ts';

const secret = 'lf-secret-of-this-test';

/** Counts the calls of each session, and repeats what it was sent. */
class CountingServer {
  readonly sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  readonly seen = new Set<string | null>();
  #http: HttpServer | undefined;
  port = 0;

  async start(): Promise<void> {
    const listener = getRequestListener(async (request) => await this.#answer(request), {overrideGlobalObjects: false});
    const http = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    await new Promise<void>((resolve) => http.listen(this.port, '127.0.0.1', resolve));
    this.port = (http.address() as AddressInfo).port;
    this.#http = http;
  }

  async stop(): Promise<void> {
    this.sessions.clear();
    this.#http?.closeAllConnections();
    await new Promise((resolve) => this.#http?.close(resolve));
  }

  async #answer(request: Request): Promise<Response> {
    const authorization = request.headers.get('authorization');
    this.seen.add(authorization);
    if (authorization !== `Bearer ${secret}`) return new Response('who are you?', {status: 401});
    const known = this.sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known === undefined && request.headers.has('mcp-session-id')) return new Response('gone', {status: 404});
    return await (known ?? (await this.#open())).handleRequest(request);
  }

  async #open(): Promise<WebStandardStreamableHTTPServerTransport> {
    let count = 0;
    const server = new Server({name: 'remote', version: '1.0.0'}, {capabilities: {tools: {}}});
    const inputSchema = {type: 'object' as const, properties: {say: {type: 'string'}}};
    server.setRequestHandler('tools/list', () => ({tools: [{name: 'count', inputSchema}]}));
    server.setRequestHandler('tools/call', ({params}) => ({
      content: [
        {type: 'text', text: `${(count += 1)} ${(params.arguments as {readonly say?: string} | undefined)?.say ?? ''}`},
      ],
    }));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.sessions.set(id, transport),
    });
    Object.assign(transport, {onclose: () => this.sessions.delete(transport.sessionId ?? '')});
    await server.connect(transport);
    return transport;
  }
}

describe('a server at a URL', () => {
  const remote = new CountingServer();
  let workspace: HostWorkspace;
  let host: Host;
  const env = {PATH: process.env['PATH'], REMOTE_TOKEN: secret};
  const url = (): string => `http://127.0.0.1:${remote.port}/mcp`;
  const lumenflow = async (...args: readonly string[]): Promise<string> => {
    const {stdout, stderr} = await runProgram(args, {cwd: workspace.root, env: {REMOTE_TOKEN: secret}});
    return stdout + stderr;
  };

  beforeAll(async () => {
    await remote.start();
    const entries = [`127.0.0.1:${remote.port}`];
    const allowed: WorkspaceSpec['security']['allowed_scopes'] = [
      {type: 'network', posture: 'allowlist', allowlist_entries: entries},
    ];
    workspace = makeHostWorkspace({
      spec: {security: {allowed_scopes: allowed}, lanes: [{id: 'core', allowed_scopes: allowed}]},
    });
    const header = 'Authorization: Bearer ${REMOTE_TOKEN}';
    const added = await lumenflow('pack', 'add', 'remote', '--url', url(), '--header', header, '--lifetime', 'session');
    expect(added).toContain('pinned remote');
    await lumenflow('pack', 'add', 'brief', '--url', url(), '--header', header);
    for (const id of ['remote', 'brief']) {
      expect(await lumenflow('pack', 'install', id)).not.toContain('error');
      await lumenflow('pack', 'approve', id, '--as', 'olga');
    }
    host = await workspace.start({env});
  }, 120_000);
  afterAll(async () => {
    await workspace.remove();
    await remote.stop();
  });

  const open = async (): Promise<Session> => opened(await host.openSession({by: 'ann'}));
  const textOf = async (session: Session, tool: string, input: object = {}): Promise<unknown> => {
    const {data, error} = await session.call(tool, input);
    return error ?? (data as {readonly content: readonly {readonly text: string}[]}).content[0]?.text;
  };

  it('keeps its session as long as its lifetime says', async () => {
    const [ann, other] = [await open(), await open()];
    const before = remote.sessions.size;
    expect([await textOf(ann, 'remote:count'), await textOf(ann, 'remote:count')]).toEqual(['1 ', '2 ']);
    expect(await textOf(other, 'remote:count')).toBe('1 ');
    expect([await textOf(ann, 'brief:count'), await textOf(ann, 'brief:count')]).toEqual(['1 ', '1 ']);
    expect(remote.sessions.size).toBe(before + 2);
    const output = await ann.call('remote:count', {});
    const receipt = await host.runtime.evidence.receipt(output.metadata?.receipt_id ?? '');
    expect(receipt?.finished?.enforcement).toMatchObject({
      server: {lifetime: 'session', start: 1, call: 3},
      connections: expect.arrayContaining([expect.objectContaining({allowed: true})]),
    });
  });

  it('gets credentials that neither caller, log nor any file of the state shows', async () => {
    const session = await open();
    expect([...remote.seen]).toEqual([`Bearer ${secret}`]);
    expect(await textOf(session, 'remote:count', {say: 'nothing'})).toBe('1 nothing');
    expect(readFileSync(join(workspace.root, 'workspace.yaml'), 'utf8')).toContain('Bearer ${REMOTE_TOKEN}');
    for (const file of filesIn(workspace.root))
      expect([file, readFileSync(file).includes(secret)]).toEqual([file, false]);
  });

  it('cannot repeat its credentials to a caller', async () => {
    const session = await open();
    expect(await textOf(session, 'remote:count', {say: `<${secret}>`})).toBe('1 <[REMOTE_TOKEN]>');
  });

  it('is called again in a new session after it has forgotten the old one', async () => {
    const session = await open();
    await textOf(session, 'remote:count');
    remote.sessions.clear();
    expect(await textOf(session, 'remote:count')).toMatchObject({code: 'UPSTREAM_FAILED', details: {ended: true}});
    expect(await textOf(session, 'remote:count')).toBe('1 ');
  });

  it('is named in the error when it is down, and left alone after three such calls', async () => {
    const session = await open();
    await remote.stop();
    for (const _ of [1, 2, 3]) {
      expect(await textOf(session, 'brief:count')).toMatchObject({
        code: 'UPSTREAM_FAILED',
        message: expect.stringContaining('the server of the pack `brief` failed'),
        details: {server: 'brief', remedy: expect.stringContaining(`http://127.0.0.1:${remote.port}`)},
      });
    }
    expect(await textOf(session, 'brief:count')).toMatchObject({message: expect.stringContaining('retry in')});
    await remote.start();
  });

  it('is not called without its credentials', async () => {
    const poor = await workspace.start({env: {PATH: process.env['PATH']}});
    const session = opened(await poor.openSession({by: 'ben'}));
    expect(await textOf(session, 'remote:count')).toMatchObject({message: expect.stringContaining('`REMOTE_TOKEN`')});
    const wrong = await workspace.start({env: {...env, REMOTE_TOKEN: 'lf-another-secret'}});
    const refused = await textOf(opened(await wrong.openSession({by: 'ben'})), 'remote:count');
    expect(refused).toMatchObject({code: 'UPSTREAM_FAILED'});
    expect(JSON.stringify(refused)).not.toContain('lf-another-secret');
  });

  it('is out of reach of calls that the workspace does not allow', async () => {
    const file = join(workspace.root, 'workspace.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(`"127.0.0.1:${remote.port}"`, '"192.0.2.1:443"'));
    const strict = await workspace.start({env});
    const session = opened(await strict.openSession({by: 'ben'}));
    expect(await textOf(session, 'remote:count')).toMatchObject({code: 'SCOPE_DENIED'});
    writeFileSync(file, text);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, {recursive: true})
    .map((name) => join(folder, String(name)))
    .filter((path) => lstatSync(path).isFile());
}
