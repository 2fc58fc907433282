// The live feed: the first byte at once, what was missed, what comes, and an end when it must end.
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {openHttpStage, type HttpStage} from '../../support/http-stage.ts';

interface Feed {
  readonly response: Response;
  /** The next so many events, as `[id, type]`. */
  take(count: number): Promise<(readonly [number, string])[]>;
  /** Everything until the server ends the stream. */
  rest(): Promise<string>;
  leave(): Promise<void>;
}

let http: HttpStage;
const feeds: Feed[] = [];
beforeEach(async () => {
  http = await openHttpStage();
});
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.leave()));
  await http.close();
});

async function listen(path = '/v1/events', headers: Record<string, string> = {}): Promise<Feed> {
  const leaving = new AbortController();
  const response = await fetch(http.server.url + path, {
    headers: {authorization: `Bearer ${http.operator.token}`, ...headers},
    signal: leaving.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readMore = async (): Promise<boolean> => {
    const {done, value} = await reader.read();
    text += value ?? '';
    return !done;
  };
  const feed: Feed = {
    response,
    async take(count) {
      const pattern = /id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/g;
      let found = [...text.matchAll(pattern)];
      while (found.length < count && (await readMore())) found = [...text.matchAll(pattern)];
      const taken = found.slice(0, count);
      const last = taken.at(-1);
      text = last ? text.slice(last.index + last[0].length) : text;
      return taken.map(([, id, type, data]) => {
        expect(JSON.parse(data ?? '')).toMatchObject({seq: Number(id), type});
        return [Number(id), type ?? ''] as const;
      });
    },
    async rest() {
      while (await readMore());
      return text;
    },
    async leave() {
      leaving.abort();
      await reader.cancel().catch(() => undefined);
    },
  };
  feeds.push(feed);
  return feed;
}

test('the first byte comes at once, though nothing happens', async () => {
  const {response} = await listen();
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('events come as they happen', async () => {
  await http.runtime.startTask('before');
  const feed = await listen();
  await http.runtime.startTask('after');
  expect(await feed.take(2)).toEqual([
    [3, 'task_created'],
    [4, 'task_claimed'],
  ]);
  await http.runtime.releaseTask({task_id: 'after', reason: 'x'});
  expect(await feed.take(1)).toEqual([[5, 'task_released']]);
});

test('a client that reconnects gets the events that it missed, each once', async () => {
  for (let index = 0; index < 200; index += 1) await http.runtime.createTask({id: `t${index}`, lane_id: 'core'});
  const resumed = await listen('/v1/events?after_seq=150', {'last-event-id': '5'});
  const adding = Promise.all(
    Array.from({length: 200}, (_, index) => http.runtime.createTask({id: `u${index}`, lane_id: 'core'})),
  );
  const ids = (await resumed.take(395)).map(([id]) => id);
  await adding;
  expect(ids).toEqual(Array.from({length: 395}, (_, index) => index + 6));
  const fromQuery = await listen('/v1/events?after_seq=399');
  expect(await fromQuery.take(1)).toEqual([[400, 'task_created']]);
});

test('more than is read at once comes whole', async () => {
  for (let index = 0; index < 700; index += 1) await http.runtime.createTask({id: `t${index}`, lane_id: 'core'});
  const feed = await listen('/v1/events?after_seq=0');
  expect((await feed.take(700)).map(([id]) => id)).toEqual(Array.from({length: 700}, (_, index) => index + 1));
});

test('events of another process come too', async () => {
  const feed = await listen();
  const other = await http.stage.open();
  await other.createTask({id: 'foreign', lane_id: 'core'});
  expect(await feed.take(1)).toEqual([[1, 'task_created']]);
});

test('only the wanted types, and only of one task', async () => {
  const feed = await listen('/v1/events?types=task_claimed,task_released&task_id=b&after_seq=0');
  await http.runtime.startTask('a');
  await http.runtime.startTask('b');
  await http.runtime.releaseTask({task_id: 'b', reason: 'x'});
  expect(await feed.take(2)).toEqual([
    [4, 'task_claimed'],
    [5, 'task_released'],
  ]);
});

test.each(['x', '-1', '1.5', '99999999999999999999'])('%j is not a last event', async (id) => {
  const {response} = await listen('/v1/events', {'last-event-id': id});
  expect(response.status).toBe(400);
});

test('a token that is revoked loses its stream', async () => {
  const feed = await listen();
  await http.tokens.revoke('olga');
  await http.runtime.startTask('secret');
  expect(await feed.rest()).not.toContain('secret');
});

test('a hundred streams at once and no more, of which a caller has a quarter; one that leaves makes room', async () => {
  const names = ['eve', 'fay', 'gus', 'hal'];
  const tokens = await Promise.all(names.map((name) => http.tokens.issue({name, role: 'operator'})));
  const [first = '', ...others] = tokens;
  const listenAs = (token: string) => listen('/v1/events', {authorization: `Bearer ${token}`});
  const open = await Promise.all(Array.from({length: 25}, () => listenAs(first)));
  const one = await listenAs(first);
  expect([one.response.status, one.response.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await one.rest()).toContain('your token has 25');
  await Promise.all(others.flatMap((token) => Array.from({length: 25}, () => listenAs(token))));
  const all = await listen();
  expect(all.response.status).toBe(429);
  expect(await all.rest()).toContain('100 streams of events');
  await open[0]!.leave();
  await vi.waitFor(async () => expect((await listenAs(first)).response.status).toBe(200), {timeout: 60_000});
});
