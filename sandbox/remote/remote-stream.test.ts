import {expect, test} from 'vitest';
import {ok} from '../outcome.ts';
import {makeTestKey} from '../testing/worker-bench.fixture.ts';
import {RemoteStream} from './remote-stream.ts';
import type {WorkerClient, WorkerReply, WorkerRequest} from './worker-client.ts';

test('writes of one turn share a request, and writes during a request share the next one', async () => {
  const posted: WorkerRequest[] = [];
  const key = makeTestKey('worker');
  const client: WorkerClient = {
    address: {name: 'worker', url: 'http://127.0.0.1:1', key},
    send: async (request) => {
      if (request.method !== 'POST') return await new Promise(() => undefined);
      posted.push(request);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return ok<WorkerReply>({status: 200, body: Buffer.alloc(0)});
    },
    close: () => undefined,
  };
  const stream = new RemoteStream({client, id: 'id', lostMs: 1000});
  const write = async (text: string): Promise<void> =>
    await new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())));
  await Promise.all([write('a'), write('b')]);
  while (posted.length === 0) await new Promise(setImmediate);
  await Promise.all(['c', 'd', 'e'].map(write));
  while (posted.length === 1) await new Promise(setImmediate);
  expect(posted.map(({path, body}) => [path.split('?')[1], body?.toString()])).toEqual([
    ['number=1', 'ab'],
    ['number=2', 'cde'],
  ]);
  stream.cancel();
});

test('a cancelled execution has ended once its worker has replied', async () => {
  const key = makeTestKey('worker');
  let reply: () => void = () => undefined;
  const client: WorkerClient = {
    address: {name: 'worker', url: 'http://127.0.0.1:1', key},
    send: async ({method}) => {
      if (method === 'DELETE') await new Promise<void>((resolve) => (reply = resolve));
      else await new Promise(() => undefined);
      return ok<WorkerReply>({status: 200, body: Buffer.alloc(0)});
    },
    close: () => undefined,
  };
  const stream = new RemoteStream({client, id: 'id', lostMs: 1000});
  let isEnded = false;
  void stream.ended.then(() => (isEnded = true));
  stream.cancel();
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  expect(isEnded).toBe(false);
  reply();
  expect(await stream.ended).toEqual({});
});

test('a worker that has nothing to send and says so at once is not asked again at once', async () => {
  const key = makeTestKey('worker');
  let asked = 0;
  const client: WorkerClient = {
    address: {name: 'worker', url: 'http://127.0.0.1:1', key},
    send: async () => {
      asked += 1;
      await new Promise(setImmediate);
      return ok<WorkerReply>({status: 204, body: Buffer.alloc(0)});
    },
    close: () => undefined,
  };
  const stream = new RemoteStream({client, id: 'id', lostMs: 1000});
  for (let turn = 0; turn < 300; turn += 1) await new Promise(setImmediate);
  expect(asked).toBeLessThan(30);
  stream.cancel();
});
