// Signed replies of a worker that has another version of LumenFlow, or that was taken over.
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
import {ok} from '../outcome.ts';
import {signResponse} from '../signatures/sign-response.ts';
import {makeTestKey} from '../testing/worker-bench.fixture.ts';
import {askWorker} from './ask-worker.ts';
import {createRemoteBackend} from './create-remote-backend.ts';
import {decodeBatch} from './output-batch.ts';
import {RemoteStream} from './remote-stream.ts';
import {uploadContents} from './upload-contents.ts';
import type {WorkerClient} from './worker-client.ts';
import {readAccepted} from './worker-replies.ts';
import {protocol} from './worker-report.ts';

const [hostKey, workerKey] = [makeTestKey('host'), makeTestKey('worker')];
const enforced = {backend: 'runc', version: '1', tier: 'standard', guarantees: {filesystem: 'enforced'}};
const report = {name: 'w', version: '1.2.3', protocol, draining: false, slots: 2, free: 1, enforced};
const accepted = {id: 'e-1', protocol, version: '1.2.3', worker: 'w', enforced};

async function signingWorker(body: string): Promise<{name: string; url: string; key: string}> {
  const server = createServer((request, response) => {
    const {signature = '', 'signature-input': signatureInput = ''} = request.headers as Record<string, string>;
    const reply = {status: 200, headers: {'content-type': 'application/json'}, body: Buffer.from(body)};
    const headers = signResponse(reply, {signature, signatureInput}, {key: workerKey, now: Date.now()});
    response.writeHead(200, headers).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {name: 'w', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: workerKey.line};
}

function clientThatGets(body: string): WorkerClient {
  return {
    address: {name: 'w', url: 'http://127.0.0.1:1', key: workerKey},
    send: async () => await Promise.resolve(ok({status: 200, body: Buffer.from(body)})),
    close: () => undefined,
  };
}

const unreadable: readonly string[] = ['', '<html>', '{"name":', 'null', '7', '[]', '{}'];

test.each([
  ...unreadable,
  ...[
    {version: 7},
    {free: 'many'},
    {slots: -1},
    {draining: undefined},
    {enforced: {}},
    {enforced: {...enforced, tier: 'safe'}},
    {enforced: {...enforced, guarantees: {filesystem: 'always'}}},
    {enforced: null, problem: 'none'},
  ].map((part) => JSON.stringify({...report, ...part})),
])('a report `%s` makes the worker unusable', async (body) => {
  const worker = await signingWorker(body);
  const problem = {message: expect.stringMatching(/^the worker `w`/), help: expect.stringContaining('LumenFlow')};
  expect(await askWorker(worker, 'report', {key: hostKey})).toMatchObject({ok: false, problem});
  const backend = createRemoteBackend({
    workers: [worker],
    runner: {nodePath: process.execPath, runtimePaths: []} as never,
    workerKey: async () => await Promise.resolve(ok(hostKey)),
  });
  expect(await backend.probe()).toMatchObject({available: false, problem});
  await backend.close();
});

test.each([
  [protocol + 1, 'update LumenFlow on the host'],
  [protocol - 1, 'update LumenFlow on the worker'],
  [undefined, 'update LumenFlow on the worker'],
])('a worker with version %s of the protocol runs no calls, and can be drained', async (version, help) => {
  const worker = await signingWorker(JSON.stringify({...report, protocol: version}));
  expect(await askWorker(worker, 'report', {key: hostKey})).toMatchObject({
    ok: false,
    problem: {message: expect.stringContaining(`the worker \`w\` (LumenFlow 1.2.3) `), help},
  });
  expect(await askWorker(worker, 'drain', {key: hostKey})).toMatchObject({ok: true, value: {slots: 2, free: 1}});
  const reply = {status: 201, body: Buffer.from(JSON.stringify({...accepted, protocol: version}))};
  expect(readAccepted(reply, clientThatGets(''))).toMatchObject({ok: false, problem: {help, retryable: 'once'}});
});

test('a report and an acceptance of the same version are used', async () => {
  const worker = await signingWorker(JSON.stringify(report));
  expect(await askWorker(worker, 'report', {key: hostKey})).toEqual({ok: true, value: report});
  const reply = {status: 201, body: Buffer.from(JSON.stringify(accepted))};
  expect(readAccepted(reply, clientThatGets(''))).toEqual({ok: true, value: accepted});
});

test.each([
  ...unreadable,
  JSON.stringify({...accepted, id: '../worker/drain'}),
  JSON.stringify({...accepted, enforced: {backend: 'runc'}}),
])('an acceptance `%s` starts nothing', (body) => {
  expect(readAccepted({status: 201, body: Buffer.from(body)}, clientThatGets(''))).toMatchObject({ok: false});
});

test.each([...unreadable.filter((body) => body !== '[]'), '[7]'])('a list of digests `%s` is refused', async (body) => {
  const entry = {path: '/w/a', kind: 'file', mode: 0o644, size: 1, mtime_ns: '1', sha256: 'aa'} as const;
  const present = new Set<string>();
  const uploaded = await uploadContents(clientThatGets(body), [{entry, at: '/absent'}], present);
  expect(uploaded).toMatchObject({ok: false, problem: {message: expect.stringContaining('not a list of digests')}});
  expect(present.size).toBe(0);
});

test.each<readonly [string, object]>([
  ['an observation that replaces the backend', {observed: {backend: 'gvisor', tier: 'hardened'}}],
  ['an attestation that is not one', {observed: {attestation: {call: {}}}}],
  ['denials that are not text', {observed: {denials: [7]}}],
  ['more denials than a network reports', {observed: {denials: ['x'.repeat(1024 ** 2)]}}],
  ['an observation that is empty', {observed: null}],
  ['an end that is text', {end: 'over'}],
  ['an end with a reason that is not text', {end: {exit_code: 0, problem: {}}}],
  ['no number', {number: '1'}],
])('output with %s is not believed', async (_what, head) => {
  const body = `${JSON.stringify({number: 1, ...head})}\n`;
  expect(decodeBatch(Buffer.from(body))).toBeUndefined();
  const stream = new RemoteStream({client: clientThatGets(body), id: 'e-1', lostMs: 1000});
  expect(await stream.ended).toEqual({lost: 'the worker `w` sent output that this host cannot read'});
  expect(stream.observed).toEqual({});
});

test('what a worker may observe arrives', () => {
  const observed = {denials: ['example.com:443'], connections: []};
  const body = Buffer.from(`${JSON.stringify({number: 1, end: {exit_code: 0}, observed})}\nbytes`);
  expect(decodeBatch(body)).toEqual({number: 1, end: {exit_code: 0}, observed, bytes: Buffer.from('bytes')});
});
