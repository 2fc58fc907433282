import type {ToolsChanged} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import {afterEach, expect, test} from 'vitest';
import type {EventFeed} from './event-feed.ts';
import {streamEvents} from './stream-events.ts';

const ending: AbortController[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end.abort();
});

function event(seq: number): KernelEvent {
  const base = {prev: '', timestamp: '2026-01-01T00:00:00.000Z', actor: 'a', task_id: 't'};
  return {...base, seq, type: 'task_unblocked'};
}

type Reported = KernelEvent | ToolsChanged;
const seqOf = (reported: Reported): number | undefined => ('seq' in reported ? reported.seq : undefined);

/** A log that grows by an event each time that the stream waits, and a clock that moves on by a second then. */
function open(
  isWanted: (reported: Reported) => boolean,
  isStillAllowed = (): boolean => true,
  toolsChanged: EventFeed['toolsChanged'] = () => undefined,
): AsyncGenerator<string> {
  const log: KernelEvent[] = [];
  const end = new AbortController();
  ending.push(end);
  let nowMs = 0;
  const feed: EventFeed = {
    lastSeq: () => log.length,
    toolsChanged,
    async wait() {
      nowMs += 1_000;
      log.push(event(log.length + 1));
    },
    close: () => undefined,
  };
  const events = {
    read: async ({after_seq = 0, limit}: {after_seq?: number; limit?: number} = {}) =>
      log.slice(after_seq, after_seq + (limit ?? 0)),
    subscribe: () => () => undefined,
  };
  const signals = [end.signal];
  return streamEvents({
    runtime: {events},
    feed,
    afterSeq: 0,
    isWanted,
    isStillAllowed,
    monotonic: () => nowMs,
    signals,
  });
}

test('a heartbeat comes every 15 s though only unwanted events do', async () => {
  const chunks = open((reported) => seqOf(reported) === 40);
  const taken: unknown[] = [];
  for (let index = 0; index < 4; index += 1) taken.push((await chunks.next()).value);
  const beat = ': still here\n\n';
  expect(taken).toEqual([
    'retry: 1000\n\n',
    beat,
    beat,
    expect.stringMatching(/^id: 40\nevent: task_unblocked\ndata: \{.*\}\n\n$/),
  ]);
});

test('ends when the caller is no longer allowed, without further events', async () => {
  let looks = 0;
  const chunks = open(
    () => true,
    () => (looks += 1) <= 2,
  );
  const reported = [];
  for await (const chunk of chunks) reported.push(chunk);
  expect(reported).toEqual(['retry: 1000\n\n', expect.stringContaining('id: 1\n')]);
});

test('ends when a signal aborts', async () => {
  const chunks = open(() => true);
  await chunks.next();
  ending[0]!.abort();
  expect((await chunks.next()).done).toBe(true);
});

test('reports once that the tools changed, without an id, since no log has it', async () => {
  const first: ToolsChanged = {type: 'tools_changed', packs: []};
  let change: ToolsChanged | undefined = first;
  const chunks = open(
    ({type}) => type === 'tools_changed',
    () => true,
    () => change,
  );
  await chunks.next();
  change = {...first, packs: [{id: 'a', version: '1.0.0', integrity: 'sha256:b', previous_integrity: 'sha256:a'}]};
  const reported = [(await chunks.next()).value, (await chunks.next()).value];
  expect(reported).toEqual([`event: tools_changed\ndata: ${JSON.stringify(change)}\n\n`, ': still here\n\n']);
});
