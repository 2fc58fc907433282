// A worker with TLS: its host trusts the authority that workspace.yaml names, and presents a certificate where one is required.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {RemoteWorker} from '@lumenflow/schemas';
import {ownCertificate} from '../testing/own-certificate.fixture.ts';
import {openWorkerBench, type WorkerBench} from '../testing/worker-bench.fixture.ts';
import {connectWorkers} from './connect-workers.ts';

let workspaceRoot: string;
let open: WorkerBench;
let closed: WorkerBench;
beforeAll(async () => {
  workspaceRoot = mkdtempSync(join(tmpdir(), 'worker-tls-'));
  const [server, host, stranger] = await Promise.all([1, 2, 3].map(async () => await ownCertificate('127.0.0.1')));
  for (const [name, made] of Object.entries({server, host, stranger})) {
    writeFileSync(join(workspaceRoot, `${name}.pem`), made?.cert ?? '');
    writeFileSync(join(workspaceRoot, `${name}-key.pem`), made?.key ?? '');
  }
  const {cert = '', key = ''} = server ?? {};
  open = await openWorkerBench({tls: {cert, key}});
  closed = await openWorkerBench({tls: {cert, key, clientCa: host?.cert}});
});
afterAll(async () => {
  await Promise.all([open.close(), closed.close()]);
  rmSync(workspaceRoot, {recursive: true});
});

/** Undefined, or why there is no reply. */
async function problemOf({listed, hostKey}: WorkerBench, files: Partial<RemoteWorker>): Promise<string | undefined> {
  const clients = connectWorkers([{...listed, ...files}], {key: hostKey, workspaceRoot});
  if (!clients.ok) return clients.problem.message;
  const [client] = clients.value;
  const body = Buffer.from('[]');
  const reply = await client.send({method: 'POST', path: '/v1/contents/missing', body, timeoutMs: 10_000});
  client.close();
  return reply.ok ? undefined : reply.problem.message;
}

const presented = (name: string): Partial<RemoteWorker> => ({
  ca: 'server.pem',
  client_cert: `${name}.pem`,
  client_key: `${name}-key.pem`,
});

test('`ca` is a path from the workspace, and the only authority that is trusted', async () => {
  expect(open.worker.url).toMatch(/^https:/u);
  expect(await problemOf(open, {ca: 'server.pem'})).toBeUndefined();
  expect(await problemOf(open, {ca: join(workspaceRoot, 'server.pem')})).toBeUndefined();
  expect(await problemOf(open, {})).toContain('cannot be reached');
  expect(await problemOf(open, {ca: 'stranger.pem'})).toContain('cannot be reached');
  expect(await problemOf(open, {ca: 'absent.pem'})).toContain('absent.pem');
});

test('a worker with an authority for hosts replies only to hosts with its certificate', async () => {
  expect(await problemOf(closed, presented('host'))).toBeUndefined();
  expect(await problemOf(closed, {ca: 'server.pem'})).toContain('cannot be reached');
  expect(await problemOf(closed, presented('stranger'))).toContain('cannot be reached');
});
