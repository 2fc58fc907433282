// What a sandboxed handler finds around it: what was granted, and nothing of the host besides.
import type {Host, Session} from '@lumenflow/host';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {createServer, type AddressInfo, type Server} from 'node:net';
import {homedir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const lanes = {
  core: everything,
  narrow: [{type: 'path', pattern: 'one/file.txt', access: 'write'}],
  absent: [{type: 'path', pattern: 'not/yet/here.txt', access: 'write'}],
  churn: [{type: 'path', pattern: 'churn/*.txt', access: 'write'}],
} as const;

let workspace: HostWorkspace;
let host: Host;
let session: Session;
let server: Server;

beforeAll(async () => {
  workspace = makeHostWorkspace({
    firstParty: ['software-delivery'],
    copied: {attack: join(import.meta.dirname, 'attack-pack')},
    files: {
      'one/file.txt': 'one\n',
      'one/other.txt': 'other\n',
      'readonly/file.txt': 'stays\n',
      'sub/.env': 'SECRET=1\n',
    },
    spec: {
      lanes: Object.entries(lanes).map(([id, scopes]) => ({id, allowed_scopes: [...scopes]})) as never,
      security: {allowed_scopes: everything},
    },
  });
  host = await workspace.start({env: {PATH: process.env['PATH'], HOME: homedir(), SECRET_OF_HOST: 'do not tell'}});
  session = opened(await host.openSession({by: 'tester'}));
  // In the environment of the process itself, which the host was not given.
  process.env['SECRET_OF_PROCESS'] = 'do not tell';
  server = createServer((socket) => socket.end('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await workspace.remove();
});

test('.env absent: nothing is created, nothing fails', async () => {
  expect(await must(session, 'attack:read', {path: '.env'})).toMatchObject({outcome: 'ENOENT'});
  await must(session, 'attack:write', {path: 'one/file.txt', content: 'one\n'});
  expect(existsSync(join(workspace.root, '.env'))).toBe(false);
  expect(existsSync(join(workspace.root, 'one/.env'))).toBe(false);
});

test('.env present: unreadable by the handler, its children and the file tools, and unchanged', async () => {
  workspace.write({'.env': 'API_KEY=hidden\n'});
  try {
    for (const path of ['.env', 'sub/.env', './/.env', `${workspace.root}/.env`]) {
      const read = await must(session, 'attack:read', {path});
      expect(read['content'] ?? '', path).toBe('');
      await must(session, 'attack:write', {path, content: 'attacked'});
      const {error} = await session.call('file:read', {path});
      expect(['SCOPE_DENIED', 'INVALID_INPUT'], path).toContain(error?.code);
    }
    const {stdout} = await must(session, 'attack:shell', {
      script: 'cat .env sub/.env; grep -r API_KEY . ; cp .env one/; mv .env x; ls -a one',
    });
    expect(stdout).not.toMatch(/hidden|SECRET/);
    expect(readFileSync(join(workspace.root, '.env'), 'utf8')).toBe('API_KEY=hidden\n');
  } finally {
    rmSync(join(workspace.root, '.env'));
  }
});

test('read-only workspace: a folder without write permission can be read, and writing to it is reported', async () => {
  const folder = join(workspace.root, 'readonly');
  chmodSync(folder, 0o555);
  chmodSync(join(folder, 'file.txt'), 0o444);
  expect(await must(session, 'attack:read', {path: 'readonly/file.txt'})).toMatchObject({content: 'stays\n'});
  // Root is an ordinary user inside: file modes apply to root too.
  expect(await must(session, 'attack:write', {path: 'readonly/new.txt'})).toMatchObject({
    outcome: expect.stringMatching(/^E/),
  });
  expect(readdirSync(folder)).toEqual(['file.txt']);
  chmodSync(folder, 0o755);
});

test('narrow scopes still start, and allow nothing more', async () => {
  const narrow = opened(await host.openSession({by: 'tester', lane: 'narrow'}));
  expect(await must(narrow, 'attack:read', {path: 'one/file.txt'})).toMatchObject({content: 'one\n'});
  expect(await must(narrow, 'attack:write', {path: 'one/file.txt', content: 'one\n'})).toMatchObject({
    outcome: 'written',
  });
  for (const path of ['one/other.txt', 'workspace.yaml', '/etc/shadow', '/root/.bashrc', '../']) {
    expect(await must(narrow, 'attack:read', {path}), path).toMatchObject({outcome: expect.stringMatching(/^E/)});
  }
  const {stdout} = await must(narrow, 'attack:shell', {script: 'find . -path ./.lumenflow -prune -o -type f -print'});
  expect(stdout).toBe('./one/file.txt\n');
});

test('a scope on a file that is not there starts too, and ctx.fs makes the file', async () => {
  const absent = opened(await host.openSession({by: 'tester', lane: 'absent'}));
  expect(await must(absent, 'attack:env')).toBeDefined();
  expect(existsSync(join(workspace.root, 'not'))).toBe(false);
  await must(absent, 'file:write', {path: 'not/yet/here.txt', content: 'here\n'});
  expect(await must(absent, 'attack:read', {path: 'not/yet/here.txt'})).toMatchObject({content: 'here\n'});
});

test('files that vanish before calls mount them do not refuse a call', async () => {
  mkdirSync(join(workspace.root, 'churn'));
  const names = Array.from({length: 10}, (_, index) => `churn/${index}.txt`);
  workspace.write(Object.fromEntries(names.map((name) => [name, 'x'])));
  const churn = opened(await host.openSession({by: 'tester', lane: 'churn'}));
  const calls = Array.from({length: 6}, () => churn.call('attack:env', {}));
  for (const name of names) {
    rmSync(join(workspace.root, name));
    await new Promise((resolve) => setTimeout(resolve, 120));
  }
  expect((await Promise.all(calls)).flatMap(({error}) => error ?? [])).toEqual([]);
});

test('network off: every connection fails at once, the host’s own loopback too', async () => {
  const {port} = server.address() as AddressInfo;
  for (const target of [
    {host: '127.0.0.1', port},
    {host: '1.1.1.1', port: 443},
    {host: '169.254.169.254', port: 80},
  ]) {
    // `no answer` comes after five seconds.
    expect(await must(session, 'attack:connect', target)).toMatchObject({outcome: expect.stringMatching(/^E/)});
  }
});

test('env default-deny: nothing of the host’s environment is inside', async () => {
  const {process: inside, context} = (await must(session, 'attack:env')) as Record<string, Record<string, string>>;
  expect(context).toEqual({});
  expect(JSON.stringify(inside)).not.toContain('do not tell');
  expect(inside).toMatchObject({
    PATH: expect.not.stringContaining(workspace.root),
    HOME: expect.not.stringContaining('root'),
  });
  const {stdout} = await must(session, 'attack:shell', {script: 'cat /proc/*/environ | tr "\\0" "\\n"'});
  expect(stdout).not.toContain('do not tell');
});

test('an allowlist reaches what it lists and refuses the rest at once', async () => {
  const {port} = server.address() as AddressInfo;
  const network = {type: 'network' as const, posture: 'allowlist' as const, allowlist_entries: [`127.0.0.1:${port}`]};
  const listed = makeHostWorkspace({
    files: {
      'packs/net/manifest.yaml': `id: net
version: 0.1.0
manifest_version: 1
task_types: [net]
tools:
  - name: net:get
    description: Would go out
    handler_entry: get.mjs#get
    permission: read
    required_scopes: [{type: network, posture: allowlist, allowlist_entries: ['127.0.0.1:${port}']}]
`,
      'packs/net/get.mjs': `import {connect} from 'node:net';
const reach = (port) => new Promise((done) => connect(port, '127.0.0.1').on('data', (data) => done(String(data))).on('error', ({code}) => done(code)));
export const get = async () => [await reach(${port}), await reach(443)];
`,
    },
    spec: {
      packs: [{id: 'net', version: '0.1.0', integrity: 'dev', source: 'local', path: 'packs/net'}],
      lanes: [{id: 'core', allowed_scopes: [network]}],
      security: {allowed_scopes: [network]},
    },
  });
  try {
    const {call} = opened(await (await listed.start()).openSession({by: 'tester'}));
    const output = await call('net:get', {});
    expect(output).toMatchObject({success: true, data: ['hello', 'ECONNREFUSED']});
  } finally {
    await listed.remove();
  }
});
