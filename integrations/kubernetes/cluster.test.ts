// A server that never finishes an answer: a request to it fails, and says why.
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openCluster} from './cluster.ts';
import {explainRefusal} from './explain-refusal.ts';

let folder: string;
let server: Server;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  server = createServer((request, response) => {
    // The beginning of an answer, for one of them.
    if (request.url?.includes('version') === true)
      response.writeHead(200, {'content-type': 'application/json'}).write('{');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{name: 'silent', cluster: {server: address, 'insecure-skip-tls-verify': true}}],
    users: [{name: 'host', user: {token: 'token'}}],
    contexts: [{name: 'silent', context: {cluster: 'silent', user: 'host'}}],
    'current-context': 'silent',
  };
  writeFileSync(join(folder, 'config'), JSON.stringify(config));
  vi.stubEnv('KUBECONFIG', join(folder, 'config'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  rmSync(folder, {recursive: true});
});

test('a server that does not answer, or stops in an answer, is reported after its time', async () => {
  const opened = openCluster({}, 50);
  if (!opened.ok) throw new Error(opened.problem.message);
  const cluster = opened.value;
  const reported = {
    message: expect.stringMatching(/^the API server of the context `silent` does not answer \(`.*abort.*`\)$/),
  };
  const explain = (error: unknown) => explainRefusal(error, {...cluster, action: 'list Pods'});
  expect(await cluster.core.listNamespacedPod({namespace: 'calls'}).catch(explain)).toMatchObject(reported);
  expect(await cluster.versions.getCode().catch(explain)).toMatchObject(reported);
});
