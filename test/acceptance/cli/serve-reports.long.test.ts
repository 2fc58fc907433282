// What `lumenflow serve` reports to operators: by OTLP, by syslog, in its log, at /readyz; and that its end loses nothing.
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import {
  assertBuilt,
  ended,
  initialize,
  makeFolder,
  runCommand,
  startProgram,
  type Ran,
} from '../../support/lumenflow-program.ts';
import {firstDocument} from '../../support/first-document.ts';
import {startOtlpCollector, type OtlpCollector} from '../../support/otlp-collector.ts';

const folder = makeFolder();
const cwd = folder.path;
const secret = 'hunter2';
let collector: OtlpCollector;
beforeAll(async () => {
  assertBuilt();
  await initialize(cwd, '--id', 'demo');
  writeFileSync(join(cwd, 'README.md'), `${secret}\n`);
});
afterAll(() => folder.remove());
beforeEach(async () => {
  collector = await startOtlpCollector();
  onTestFinished(collector.close);
});

const token = async (role: string): Promise<string> => {
  const ran = await runCommand(['token', 'create', `t${Math.random()}`, '--role', role, '--json'], {cwd});
  return (JSON.parse(ran.stdout) as {token: string}).token;
};

interface Server {
  readonly url: string;
  readonly done: Promise<Ran>;
  call(tool: string, input: object, headers?: object): Promise<Record<string, unknown>>;
  metrics(): Promise<string>;
  signal(name: NodeJS.Signals): void;
}

async function serve(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const child = startProgram(['serve', '--port', '0', '--json', '--log', 'json', ...args], {cwd, env});
  onTestFinished(() => void child.kill('SIGKILL'));
  const done = ended(child);
  const url = String((await firstDocument(child))['url']);
  const authorization = `Bearer ${await token('admin')}`;
  return {
    url,
    done,
    signal: (name) => void child.kill(name),
    metrics: async () => await (await fetch(`${url}/metrics`, {headers: {authorization}})).text(),
    async call(tool, input, headers = {}) {
      const response = await fetch(`${url}/v1/tools/${tool}`, {
        method: 'POST',
        headers: {authorization, 'content-type': 'application/json', ...headers},
        body: JSON.stringify({input}),
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

const linesOf = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('each call is one trace of the caller, one log record and one event; its content is in none of them', async () => {
  let received = '';
  const syslog = createServer((socket) => socket.on('data', (chunk) => (received += chunk.toString())));
  syslog.listen(0, '127.0.0.1');
  await once(syslog, 'listening');
  onTestFinished(() => void syslog.close());
  const {port} = syslog.address() as AddressInfo;
  const server = await serve(['--syslog', `tcp://127.0.0.1:${port}`], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
  });
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const read = await server.call('file:read', {path: 'README.md'}, {traceparent: `00-${traceId}-${spanId}-01`});
  expect(read).toMatchObject({success: true});
  const written = await server.call('file:write', {path: 'README.md', content: secret});
  expect(written).toMatchObject({error: {code: 'SCOPE_DENIED'}});
  server.signal('SIGTERM');
  const {code, stderr} = await server.done;

  expect([code, collector.problems]).toEqual([0, []]);
  const spans = collector.items('/v1/traces');
  const inTrace = spans.filter((span) => span['traceId'] === traceId);
  expect(new Set(inTrace.map(({name}) => name))).toEqual(
    new Set(['admit', 'record intent', 'dispatch file:read', 'record outcome', 'execute_tool file:read']),
  );
  const outer = inTrace.find(({name}) => name === 'execute_tool file:read');
  expect(outer).toMatchObject({parentSpanId: spanId});
  for (const span of inTrace) if (span !== outer) expect(span['parentSpanId']).toBe(outer?.['spanId']);
  const calls = collector.items('/v1/logs');
  const ofTool = calls.filter((record) => JSON.stringify(record).includes('file:'));
  expect(ofTool.map(({severityText}) => severityText)).toEqual(['INFO', 'WARN']);
  expect(ofTool[0]).toMatchObject({traceId, spanId: outer?.['spanId']});
  expect(received.match(/\d+ <\d+>1 /gu)).toHaveLength(calls.length);
  const metrics = new Set(collector.items('/v1/metrics').map(({name}) => name));
  expect(metrics).toContain('lumenflow_calls_total');
  expect(metrics).toContain('lumenflow_export_dropped_total');
  expect(collector.headers[0]).toMatchObject({'x-key': 'a b'});
  for (const text of [JSON.stringify([spans, calls]), received, stderr]) expect(text).not.toContain(secret);
  expect(linesOf(stderr).map(({message}) => message)).toEqual([
    'serving',
    ...Array(calls.length).fill('call'),
    'draining',
    'stopped',
  ]);
}, 120_000);

test('a collector that is away delays no call, is reported once, and what it missed is reported at the end', async () => {
  collector.status = 503;
  const server = await serve([], {OTEL_EXPORTER_OTLP_ENDPOINT: collector.url});
  for (let each = 0; each < 3; each += 1) await server.call('file:read', {path: 'README.md'});
  await expect.poll(() => collector.headers.length, {timeout: 60_000}).toBeGreaterThan(3);
  collector.status = 200;
  server.signal('SIGTERM');
  const {code, stderr} = await server.done;
  expect(code).toBe(0);
  expect(collector.items('/v1/logs').filter((each) => JSON.stringify(each).includes('file:read'))).toHaveLength(3);
  const failing = linesOf(stderr).filter(({state, receiver}) => state === 'failing' && receiver === 'otlp-logs');
  expect(failing).toMatchObject([{level: 'warn', message: expect.stringContaining('status 503')}]);
}, 120_000);

test('what a collector rejects of a batch is reported once, in its words, and counted', async () => {
  collector.reply = JSON.stringify({partialSuccess: {rejectedLogRecords: '1', errorMessage: 'too\u001B[31m old'}});
  const server = await serve([], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_METRICS_EXPORTER: 'none',
  });
  await server.call('file:read', {path: 'README.md'});
  const dropped = 'lumenflow_export_dropped_total{receiver="otlp-logs"} 1';
  await expect.poll(async () => (await server.metrics()).split('\n'), {timeout: 60_000}).toContain(dropped);
  collector.reply = '{}';
  server.signal('SIGTERM');
  const {code, stderr} = await server.done;
  expect(code).toBe(0);
  expect(linesOf(stderr).filter(({state}) => state === 'partial')).toMatchObject([
    {level: 'warn', receiver: 'otlp-logs', message: expect.stringMatching(/ rejected 1 items, .*: too \[31m old$/u)},
  ]);
}, 120_000);

test('counters of calls survive a restart, and what is left of them on disk is not needed', async () => {
  const counted = async (): Promise<string | undefined> => {
    const server = await serve([]);
    await server.call('file:read', {path: 'README.md'});
    const found = /^lumenflow_calls_total\{tool="file:read",decision="allow",result="success"\} (\d+)$/mu;
    const [, count] = found.exec(await server.metrics()) ?? [];
    server.signal('SIGTERM');
    await server.done;
    return count;
  };
  const first = Number(await counted());
  const kept = join(cwd, '.lumenflow/cache/call-counts.json');
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({kept: {newest: {seq: expect.any(Number)}}});
  expect(Number(await counted())).toBe(first + 1);
  writeFileSync(kept, '{}');
  expect(Number(await counted())).toBe(first + 2);
}, 120_000);

test('a server that drains still serves, and is not ready; one whose log cannot be written is not ready', async () => {
  const server = await serve(['--drain', '3']);
  const readiness = async (): Promise<unknown> => {
    const response = await fetch(`${server.url}/readyz`);
    return [response.status, await response.json()];
  };
  expect(await readiness()).toEqual([200, {status: 'ready', reasons: []}]);
  const [kernel, away] = [join(cwd, '.lumenflow/kernel'), join(cwd, '.lumenflow/away')];
  renameSync(kernel, away);
  const unavailable = [503, {status: 'not_ready', reasons: ['LOG_UNAVAILABLE']}];
  await expect.poll(readiness, {timeout: 60_000}).toEqual(unavailable);
  renameSync(away, kernel);
  await expect.poll(readiness, {timeout: 60_000}).toEqual([200, {status: 'ready', reasons: []}]);
  server.signal('SIGTERM');
  await expect.poll(readiness).toEqual([503, {status: 'not_ready', reasons: ['DRAINING']}]);
  expect(await server.call('file:read', {path: 'README.md'})).toMatchObject({success: true});
  expect((await server.done).code).toBe(0);
}, 120_000);

test.each([
  [['--syslog', 'log.example'], {}, 'tcp://HOST:601'],
  [['--drain', 'soon'], {}, '`soon` is not a valid value of --drain'],
  [[], {OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318'}, 'is not an HTTP address'],
])('serve %j is rejected before anything starts', async (args, env, text) => {
  const {code, stderr} = await runCommand(['serve', '--port', '0', ...args], {cwd, env});
  expect([code, stderr]).toEqual([2, expect.stringContaining(text)]);
});
