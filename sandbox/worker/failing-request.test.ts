import {expect, onTestFinished, test} from 'vitest';
import {NonceCache} from '../signatures/nonce-cache.ts';
import {serveWorker} from './serve-worker.ts';

test('a request whose check fails is closed, and the worker continues', async () => {
  let asked = 0;
  const options = {
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    ownKeys: () => [],
    hostKeys: () => {
      asked += 1;
      throw new Error('ENOSPC');
    },
    nonces: new NonceCache({startedAt: 0, newestCreated: 0, keepNewestCreated: () => undefined}),
    now: Date.now,
  };
  const served = await serveWorker(options, {} as never);
  if (!served.ok) throw new Error(served.problem.message);
  onTestFinished(() => served.value.close());
  const {url} = served.value;
  for (const turn of [1, 2]) {
    await expect(fetch(`${url}/v1/worker`)).rejects.toThrow('fetch failed');
    expect(asked).toBe(turn);
  }
});
