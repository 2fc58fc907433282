// Each client of the sandbox reports a broken reply as an error, and within its time limit.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {createEngineClient} from '../engine/engine-client.ts';
import {putToApi} from '../firecracker/firecracker-api.ts';
import {openConnections} from '../remote/open-connections.ts';
import {hostileReplies, hostileServer} from './hostile-server.fixture.ts';

test.each(hostileReplies)('a worker that sends %s', async (_what, reply) => {
  const url = new URL(`http://127.0.0.1:${await hostileServer(reply)}/`);
  const connections = openConnections(false);
  onTestFinished(() => connections.close());
  const sent = {method: 'GET', headers: {}, body: Buffer.alloc(0), timeoutMs: 200, signal: undefined};
  await expect(connections.exchange(url, sent)).rejects.toThrow();
});

test.each(hostileReplies)('a container engine that sends %s', async (_what, reply) => {
  const socketPath = await hostileSocket(reply);
  const client = createEngineClient(socketPath);
  const {answer} = client.begin({method: 'GET', path: '/version', timeoutMs: 200});
  expect(await answer).toMatchObject({ok: false, problem: {status: undefined}});
});

// Its time limit is fixed: the replies that stop are those of the other clients.
test.each(hostileReplies.filter(([what]) => !what.includes('stops')))(
  'a hypervisor that sends %s',
  async (_what, reply) => {
    await expect(putToApi(await hostileSocket(reply), {path: '/actions', body: {}})).rejects.toThrow();
  },
);

async function hostileSocket(reply: (typeof hostileReplies)[number][1]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-replies-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const path = join(folder, 'socket');
  await hostileServer(reply, path);
  return path;
}
