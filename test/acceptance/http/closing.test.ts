// Clients that leave and servers that close: no call is left behind, no handle either.
import {connect} from 'node:net';
import {afterEach, expect, test, vi} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';
import type {Script} from '../../support/scripted-dispatcher.ts';

let http: HttpStage;
afterEach(() => http.close());

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

function defer<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = {resolve, reject};
  });
  return {promise, ...settle!};
}

interface Slow {
  readonly script: Script;
  /** Resolves once so many calls run. */
  started(count?: number): Promise<void>;
  finish(): void;
}

/** A tool that runs until it is released or cancelled. */
function createSlow(): Slow {
  let running = 0;
  const watchers = new Set<() => void>();
  const finishing = defer<void>();
  return {
    async script({signal}) {
      running += 1;
      for (const watch of watchers) watch();
      const cancelled = new Promise<true>((resolve) => {
        if (signal?.aborted === true) resolve(true);
        signal?.addEventListener('abort', () => resolve(true));
      });
      if ((await Promise.race([cancelled, finishing.promise])) === true) {
        return {output: {success: false, error: {code: 'TOOL_CANCELLED', message: 'the caller left'}}};
      }
      return {output: {success: true, data: 'done'}};
    },
    started: (count = 1) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (running >= count) resolve();
        };
        watchers.add(watch);
        watch();
      }),
    finish: () => finishing.resolve(),
  };
}

test('a client that leaves in the middle of a call cancels it, and the outcome is recorded', async () => {
  const slow = createSlow();
  http = await openHttpStage({scripts: {'files:read': slow.script}});
  const leaving = new AbortController();
  const call = http.agent.post('/v1/tools/files:read', {}, {signal: leaving.signal});
  await slow.started();
  leaving.abort();
  await expect(call).rejects.toThrow();
  await http.server.close();
  const [receipt] = (await http.runtime.evidence.readTraces()).receipts;
  expect(receipt?.finished).toMatchObject({result: 'failure', error_code: 'TOOL_CANCELLED'});
  expect(http.runtime.listTasks().map(({state}) => state)).toEqual(['done']);
  expect(http.errors).toEqual([]);
});

/** Asks over a raw socket; `ended` resolves once the server has ended the connection, and rejects when it was reset. */
function openRaw(port: number): {send(): void; received(): string; readonly ended: Promise<void>} {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const ended = new Promise<void>((resolve, reject) => {
    socket.once('end', resolve);
    socket.once('error', reject);
  });
  const request = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`;
  return {send: () => void socket.write(request), received: () => received, ended};
}

const refusedInWords = /HTTP\/1\.1 503 .*connection: close.*retry-after: 1\r/isu;

test('a request that was on its way on an idle connection is refused in words', async () => {
  http = await openHttpStage();
  const raw = openRaw(http.server.port);
  raw.send();
  await vi.waitFor(() => expect(raw.received()).toContain('"ok"'), {timeout: 60_000});
  const closing = http.server.close();
  raw.send();
  await raw.ended;
  expect(raw.received()).toMatch(refusedInWords);
  await closing;
});

test('a connection that is established but not yet accepted is refused in words', async () => {
  http = await openHttpStage();
  const raw = openRaw(http.server.port);
  raw.send();
  // The system establishes it here, without the event loop.
  await new Promise((resolve) => process.nextTick(resolve));
  const closing = http.server.close();
  await raw.ended;
  expect(raw.received()).toMatch(refusedInWords);
  await closing;
});

test('closing waits for calls in flight and returns their outcome; new calls are refused', async () => {
  const slow = createSlow();
  http = await openHttpStage({scripts: {'files:read': slow.script}});
  const calls = [1, 2, 3].map(() => http.agent.post('/v1/tools/files:read'));
  await slow.started(3);
  const closing = http.server.close();
  await vi.waitFor(() => expect(fetch(`${http.server.url}/healthz`)).rejects.toThrow(), {timeout: 60_000});
  slow.finish();
  for (const answer of await Promise.all(calls)) {
    expect(answer).toMatchObject({status: 200, body: {data: 'done'}});
    expect(answer.headers.get('connection')).toBe('close');
  }
  await closing;
});

test('a connection that is open when closing begins accepts no further call', async () => {
  const slow = createSlow();
  http = await openHttpStage({scripts: {'files:read': slow.script}});
  const socket = connect(http.server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += String(chunk);
  });
  // What was sent too late is never read, so the server's end may arrive as a reset.
  socket.on('error', (error: NodeJS.ErrnoException) => expect(error.code).toBe('ECONNRESET'));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  const head = `host: localhost\r\nauthorization: Bearer ${http.agent.token}\r\n`;
  socket.write(`POST /v1/tools/files:read HTTP/1.1\r\n${head}content-length: 0\r\n\r\n`);
  await slow.started();
  const closing = http.server.close();
  socket.write(`POST /v1/tools/files:write HTTP/1.1\r\n${head}content-length: 0\r\n\r\n`);
  slow.finish();
  await closing;
  await ended;
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  expect(http.runtime.dispatcher.requests.map(({tool}) => tool.name)).toEqual(['files:read']);
});

test('closing cancels a call that takes too long, and reports it', async () => {
  const slow = createSlow();
  http = await openHttpStage({scripts: {'files:read': slow.script}, server: {closeTimeoutMs: 50}});
  const call = http.agent.post('/v1/tools/files:read');
  await slow.started();
  await http.server.close();
  expect(await call).toMatchObject({status: 499, body: {error: {code: 'TOOL_CANCELLED'}}});
});

test('closing does not wait for a handler that ignores the cancellation', async () => {
  const never = defer<never>();
  const started = defer<void>();
  http = await openHttpStage({
    server: {closeTimeoutMs: 10},
    scripts: {
      'files:read': () => {
        started.resolve();
        return never.promise;
      },
    },
  });
  const call = http.agent.post('/v1/tools/files:read');
  const outcome = expect(call).rejects.toThrow();
  await started.promise;
  await http.server.close();
  await outcome;
  never.reject(new Error('over'));
});

test('closing ends streams, idle connections and half-sent requests', async () => {
  http = await openHttpStage({server: {closeTimeoutMs: 200}});
  const stream = await fetch(`${http.server.url}/v1/events`, {headers: {authorization: `Bearer ${http.admin.token}`}});
  const halfSent = connect(http.server.port, '127.0.0.1', () => halfSent.write('POST /v1/tasks HTTP/1.1\r\nhost: loc'));
  const idle = connect(http.server.port, '127.0.0.1');
  await Promise.all([halfSent, idle].map((socket) => new Promise((resolve) => socket.on('connect', resolve))));
  for (const socket of [halfSent, idle]) socket.on('error', () => undefined);
  const ends = [halfSent, idle].map((socket) => new Promise((resolve) => socket.on('close', resolve).resume()));
  await http.server.close();
  expect(await stream.text()).toContain('retry:');
  await Promise.all(ends);
  await http.server.close();
});

test('closing under load: each request is answered whole or refused whole', async () => {
  http = await openHttpStage();
  let isOpen = true;
  const statuses: number[] = [];
  let refused = 0;
  const load = Array.from({length: 8}, async () => {
    while (isOpen) {
      try {
        statuses.push((await http.agent.post('/v1/tools/files:read', {input: {path: 'a'}})).status);
      } catch {
        refused += 1;
        isOpen = false;
      }
    }
  });
  while (statuses.length < 40) await new Promise((resolve) => setTimeout(resolve, 5));
  await http.server.close();
  // The closed port ends it.
  await Promise.all(load);
  expect(new Set(statuses.filter((status) => status !== 503))).toEqual(new Set([200]));
  expect(refused).toBeGreaterThan(0);
  const {receipts} = await http.runtime.evidence.readTraces({limit: 10_000});
  expect(receipts.every(({finished}) => finished?.result === 'success')).toBe(true);
  expect(http.errors).toEqual([]);
});

test('a port that is in use is reported', async () => {
  http = await openHttpStage();
  await expect(openHttpStage({server: {port: http.server.port}})).rejects.toThrow('EADDRINUSE');
});
