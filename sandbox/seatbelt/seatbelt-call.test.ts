// Whole calls over a stand-in for sandbox-exec that asks the evaluator: what is started, with what, and what is left.
import {readFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import {diagnoseSandbox} from '../doctor/diagnose-sandbox.ts';
import {createSeatbeltBench, type SeatbeltBench} from '../testing/seatbelt/seatbelt-bench.fixture.ts';

let bench: SeatbeltBench;
beforeAll(async () => {
  bench = await createSeatbeltBench();
});
beforeEach(() => bench.misbehave(undefined));
afterAll(() => bench.remove());

const code = `const code = (attempt) => { try { attempt(); return 'ok'; } catch (error) { return error.code; } };`;

test('a call does what its grant allows, in its own folder, which is removed with it', async () => {
  bench.put('src/a.ts', 'text');
  bench.put('out/b.txt');
  bench.put('.env', 'SECRET=1');
  const {output, enforcement} = await bench.call(
    `${code} fs.writeFileSync(process.env.TMPDIR + '/x', ''); fs.writeFileSync(process.env.HOME + '/y', ''); const root = context.workspace_root;
     return [fs.readFileSync(root + '/src/a.ts', 'utf8'), code(() => fs.writeFileSync(root + '/src/a.ts', '')), code(() => fs.writeFileSync(root + '/out/b.txt', 'new')),
       code(() => fs.readFileSync(root + '/.env')), code(() => fs.readFileSync(process.env.TMPDIR + '/../profile.sb')), code(() => fs.readFileSync('/root/.profile'))];`,
    {grant: {read: ['**'], write: ['out/**']}},
  );
  expect(output).toEqual({success: true, data: ['text', 'EPERM', 'ok', 'EPERM', 'EPERM', 'EPERM']});
  expect(readFileSync(join(bench.workspace, 'out/b.txt'), 'utf8')).toBe('new');
  expect(enforcement).toMatchObject({
    backend: 'seatbelt',
    tier: 'standard',
    start: 'cold',
    exit_code: 0,
    degraded: [expect.stringContaining('processes:'), expect.stringContaining('processes:')],
  });
  expect(bench.leftOver()).toEqual([]);
});

test('it is started with a text that only this user can read, a bare environment and one channel', async () => {
  process.env['LUMENFLOW_TEST_SECRET'] = 'leak';
  onTestFinished(() => void delete process.env['LUMENFLOW_TEST_SECRET']);
  await bench.call('return 1');
  const {option, command, env, text, mode, fds} = bench.lastStart();
  expect([option, mode, fds]).toEqual(['-f', '40700', ['0', '1', '2', '3']]);
  expect(command).toEqual([process.execPath, expect.stringMatching(/runner\.cjs$/)]);
  expect(text).toMatch(/^\(version 1\)\n\(deny default\)\n/);
  expect(Object.keys(env)).not.toContain('LUMENFLOW_TEST_SECRET');
  expect(env['HOME']).toBe(`${env['TMPDIR']}/home`);
});

test('limits are set by a shell inside', async () => {
  const {output, enforcement} = await bench.call(
    `return (await context.exec('/bin/bash', ['-c', 'ulimit -t; ulimit -n; ulimit -f; ulimit -c'])).stdout.trim().split('\\n');`,
    {limits: {cpu_time_ms: 7001, open_files: 99, file_size_bytes: 1025, memory_bytes: 2 ** 28, tmp_bytes: 4096}},
  );
  expect(output.data).toEqual(['8', '99', '2', '0']);
  expect(enforcement.degraded).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^memory_bytes/),
      expect.stringMatching(/^tmp_bytes/),
      expect.stringMatching(/^cpu_time_ms/),
      expect.stringMatching(/^file_size_bytes/),
    ]),
  );
  expect(bench.lastStart().command.slice(0, 2)).toEqual(['/bin/bash', '-c']);
});

test('a call that does not end is killed', async () => {
  const {output, timedOut} = await bench.call('await new Promise(() => setInterval(() => {}, 1000));', {
    request: {wallMs: 1000},
  });
  expect([output.error?.code, timedOut]).toEqual(['TOOL_TIMEOUT', true]);
  expect(bench.leftOver()).toEqual([]);
});

test('listed hosts are reached only through the proxy, and counted', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const {port} = server.address() as AddressInfo;
  const {output, enforcement} = await bench.call(
    `const net = await import('node:net');
     const proxy = new URL(process.env.HTTPS_PROXY);
     const talk = (host, port, say) => new Promise((done) => { let got = ''; const socket = net.connect({host, port}, () => socket.write(say));
       socket.on('data', (data) => { got += data; if (got.endsWith('ping')) socket.end(); }).on('error', ({code}) => done(code)).on('close', () => done(got)); });
     const authorization = 'Basic ' + Buffer.from(proxy.username + ':' + proxy.password).toString('base64');
     const tunnel = (to, as = authorization) => talk(proxy.hostname, proxy.port, 'CONNECT ' + to + ' HTTP/1.1\\r\\nHost: ' + to + '\\r\\nProxy-Authorization: ' + as + '\\r\\n\\r\\nping');
     const first = (answer) => answer.split('\\r\\n')[0];
     return [await tunnel('api.test:${port}'), first(await tunnel('other.test:${port}')), first(await tunnel('api.test:1')), first(await tunnel('127.0.0.1:1')), first(await tunnel('nonsense')),
       first(await tunnel('api.test:${port}', 'Basic eDp5')), await talk('127.0.0.1', ${port}, 'ping'), first(await talk(proxy.hostname, proxy.port, 'GET http://api.test:${port}/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'))];`,
    {grant: {network: {posture: 'allowlist', allowlist_entries: [`api.test:${port}`, `127.0.0.1/32:${port}`]}}},
  );
  expect(output).toEqual({
    success: true,
    data: [
      'HTTP/1.1 200 Connection Established\r\n\r\nping',
      'HTTP/1.1 403 Forbidden',
      'HTTP/1.1 403 Forbidden',
      'HTTP/1.1 403 Forbidden',
      'HTTP/1.1 400 Bad Request',
      'HTTP/1.1 407 Proxy Authentication Required',
      'EPERM',
      'HTTP/1.1 501 Not Implemented',
    ],
  });
  expect(enforcement.connections).toContainEqual({
    destination: `api.test:${port}`,
    rule: `api.test:${port}`,
    allowed: true,
    attempts: 1,
    bytes_sent: 4,
    bytes_received: 4,
  });
  expect(enforcement.denials).toContainEqual(`network other.test:${port}: no entry allows it`);
  expect(enforcement.degraded).toContainEqual(expect.stringContaining('proxy'));
});

test('what cannot be enforced is refused: an invalid allowlist, a transaction, a path that SBPL cannot express', async () => {
  const unknown = await bench.call('return 1', {grant: {network: {posture: 'allowlist', allowlist_entries: ['x']}}});
  expect(unknown.output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('`x`')});
  const never = () => Promise.reject(new Error('never'));
  const transactional = await bench.call('return 1', {request: {transaction: {open: never, adopt: never}}});
  expect(transactional.output.error).toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('private view'),
  });
  bench.put('line\nbreak/a.txt');
  const inexpressible = await bench.call('return 1', {grant: {write: ['line\nbreak/**']}});
  expect(inexpressible.output.error).toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('line\\nbreak'),
  });
  expect(bench.leftOver()).toEqual([]);
});

test('the trial start detects whether a machine enforces profiles', async () => {
  expect(await bench.backend.probe()).toMatchObject({
    available: true,
    tier: 'standard',
    guarantees: {filesystem: 'enforced', network_full: 'best_effort', system_calls: 'unsupported'},
  });
  const {tier, checks} = await diagnoseSandbox([bench.backend]);
  expect(tier).toBe('standard');
  expect(checks).toContainEqual({
    name: 'seatbelt',
    ok: true,
    detail: expect.stringContaining('a trial start succeeded'),
  });
  const other = await createSeatbeltBench();
  onTestFinished(() => other.remove());
  other.misbehave('loose');
  expect(await other.backend.probe()).toMatchObject({
    available: false,
    problem: {message: 'a trial of sandbox-exec failed'},
  });
  other.misbehave('refuse');
  expect(await other.backend.probe()).toMatchObject({
    available: false,
    problem: {message: expect.stringContaining('sandbox-exec: Operation not permitted')},
  });
  // It is tried again as long as it does not work.
  other.misbehave(undefined);
  expect(await other.backend.probe()).toMatchObject({available: true});
  expect(other.leftOver()).toEqual([]);
});

test('a start that sandbox-exec refuses is not a crash of the tool', async () => {
  await bench.backend.probe();
  bench.misbehave('refuse');
  const {output} = await bench.call('return 1');
  expect(output.error).toMatchObject({
    code: 'SANDBOX_UNAVAILABLE',
    message: expect.stringContaining('sandbox-exec: Operation not permitted'),
  });
});
