// What answers at the address of the API server, and is not one: a proxy that asks to sign in, or a stream that is cut.
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {awaitPod} from './await-pod.ts';
import {openCluster, type Cluster} from './cluster.ts';
import {jobPods} from './job-pods.ts';
import {probeCluster} from './probe-cluster.ts';

let folder: string;
let server: Server;
let asked: string[];
let answer: (path: string, response: ServerResponse) => void;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  asked = [];
  server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    answer(path, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{name: 'odd', cluster: {server: address, 'insecure-skip-tls-verify': true}}],
    users: [{name: 'host', user: {token: 'token'}}],
    contexts: [{name: 'odd', context: {cluster: 'odd', user: 'host'}}],
    'current-context': 'odd',
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

function opened(): Cluster {
  const cluster = openCluster({});
  if (!cluster.ok) throw new Error(cluster.problem.message);
  return cluster.value;
}

const json = (response: ServerResponse, body: unknown): unknown =>
  response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(body));
const isWatch = (path: string): boolean => path.includes('watch=true');
const running = {
  metadata: {name: 'call'},
  status: {phase: 'Running', containerStatuses: [{name: 'call', state: {running: {}}}]},
};
const pending = {metadata: {name: 'call', resourceVersion: '1'}, status: {phase: 'Pending'}};
const call = {selector: 'call=1', creator: 'call-1', withinMs: 30_000};

const wrong: readonly (readonly [string, (response: ServerResponse) => unknown])[] = [
  ['a page', (response) => response.writeHead(200, {'content-type': 'text/html'}).end('<html>Sign in</html>')],
  ['a page that says it is JSON', (response) => response.writeHead(200, {'content-type': 'application/json'}).end('<')],
  ['an empty object', (response) => json(response, {})],
  ['null', (response) => json(response, null)],
];

test.each(wrong)('%s in place of an answer is reported as such', async (_what, send) => {
  answer = (_path, response) => void send(response);
  const cluster = opened();
  const problem = {
    message: expect.stringMatching(/^what answers at the API server of the context `odd` is not Kubernetes \(`.+`\)$/u),
  };
  expect(await probeCluster({cluster} as never)).toMatchObject({ok: false, problem});
  const pods = jobPods(cluster, {owner: 'o', image: 'i'});
  answer = (path, response) => void (path.includes('/jobs') ? json(response, {metadata: {}}) : send(response));
  expect(await pods.start({name: 'call-1', fileRoots: []} as never)).toMatchObject({ok: false, problem});
});

test('a watch that sends garbage, and is cut in the middle of a line, is begun again', async () => {
  let watches = 0;
  const line = `${JSON.stringify({type: 'MODIFIED', object: running})}\n`;
  const gone = JSON.stringify({type: 'DELETED', object: running});
  const odd = JSON.stringify({type: 'ERROR', object: {kind: 'Status', status: 'Failure'}});
  const watch = (response: ServerResponse): void => {
    watches += 1;
    response.writeHead(200, {'content-type': 'application/json'});
    if (watches > 1) response.write(line);
    else response.write(`<html>\nnull\n[]\n{}\n${odd}\n${gone}\n${line.slice(0, 40)}`, () => void response.destroy());
  };
  answer = (path, response) => {
    if (isWatch(path)) watch(response);
    else json(response, {items: [pending]});
  };
  expect(await awaitPod(opened(), call)).toMatchObject({ok: true, value: running});
  expect(watches).toBe(2);
});

test('a watch that ends at once is not begun again at once', async () => {
  answer = (path, response) => void (isWatch(path) ? response.end() : json(response, {items: [pending]}));
  expect(await awaitPod(opened(), {...call, withinMs: 600})).toMatchObject({ok: false});
  expect(asked.filter(isWatch).length).toBeLessThan(6);
});
