// The event log: numbered and chained, and one order for all processes.
import assert from 'node:assert/strict';
import type {EventLog, NewEvent} from '@lumenflow/kernel/adapters';
import type {KernelEvent} from '@lumenflow/schemas';
import {sha256Hex} from '../system/sha256.ts';
import type {StateCase} from './state-case.ts';

function released(taskId: string, reason = 'done for today'): NewEvent {
  return {type: 'task_released', timestamp: '2026-01-02T03:04:05.678Z', actor: 'ann', task_id: taskId, reason};
}

async function append(log: EventLog, ...taskIds: readonly string[]): Promise<void> {
  await log.transact(() => ({events: taskIds.map((id) => released(id)), result: undefined}));
}

function tasksOf(events: readonly KernelEvent[]): readonly string[] {
  return events.flatMap((event) => ('task_id' in event ? [event.task_id] : []));
}

async function listen(log: EventLog): Promise<KernelEvent[]> {
  const received: KernelEvent[] = [];
  await log.onEvent((event) => received.push(event));
  return received;
}

export const eventLogCases: readonly StateCase[] = [
  {
    name: 'events are numbered without a gap, each with the hash of the line before',
    async run({open}) {
      const {events: log} = await open();
      await append(log, 'a', 'b');
      await append(log, 'c');
      const events = await log.read({});
      assert.deepEqual(tasksOf(events), ['a', 'b', 'c']);
      const hashes = events.map((event) => sha256Hex(JSON.stringify(event)));
      assert.deepEqual(
        events.map(({seq, prev}) => ({seq, prev})),
        [
          {seq: 1, prev: '0'.repeat(64)},
          {seq: 2, prev: hashes[0]},
          {seq: 3, prev: hashes[1]},
        ],
      );
    },
  },
  {
    name: 'a transaction returns the result of its decision, also without events',
    async run({open}) {
      const {events: log} = await open();
      assert.equal(await log.transact(() => ({events: [], result: 'seen'})), 'seen');
      assert.deepEqual(await log.read({}), []);
    },
  },
  {
    name: 'a decision that throws appends nothing and blocks no other',
    async run({open}) {
      const {events: log} = await open();
      const failure = new Error('no');
      const attempt = log.transact(() => {
        throw failure;
      });
      await assert.rejects(attempt, failure);
      await append(log, 'a');
      assert.deepEqual(tasksOf(await log.read({})), ['a']);
    },
  },
  {
    name: 'one invalid event rejects its whole transaction',
    async run({open}) {
      const {events: log} = await open();
      const invalid = {...released('b'), reason: 7} as unknown as NewEvent;
      const attempt = log.transact(() => ({events: [released('a'), invalid], result: 0}));
      await assert.rejects(attempt, {code: 'BROKEN_INVARIANT'});
      await append(log, 'c');
      assert.deepEqual(tasksOf(await log.read({})), ['c']);
    },
  },
  {
    name: 'texts in events are stored unchanged',
    async run({open}) {
      const {events: log} = await open();
      const texts = ['status: ok: 1', '0x10', '# comment', 'a\nb', '\u2028 \u0000 "\\', '💡', ''];
      await log.transact(() => ({events: texts.map((text) => released('a', text)), result: 0}));
      const {events: other} = await open();
      const stored = await other.read({});
      assert.deepEqual(
        stored.map((event) => ('reason' in event ? event.reason : undefined)),
        texts,
      );
    },
  },
  {
    name: 'a listener receives past events, then each event before its transaction resolves',
    async run({open}) {
      const {events: log} = await open();
      await append(log, 'a');
      const received: KernelEvent[] = [];
      const stop = await log.onEvent((event) => received.push(event));
      assert.deepEqual(tasksOf(received), ['a']);
      await append(log, 'b', 'c');
      assert.deepEqual(tasksOf(received), ['a', 'b', 'c']);
      stop();
      await append(log, 'd');
      assert.deepEqual(tasksOf(received), ['a', 'b', 'c']);
    },
  },
  {
    name: 'a listener can begin after an event',
    async run({open}) {
      const {events: log} = await open();
      await append(log, 'a', 'b');
      const received: KernelEvent[] = [];
      const stop = await log.onEvent((event) => received.push(event), 1);
      await append(log, 'c');
      stop();
      assert.deepEqual(tasksOf(received), ['b', 'c']);
    },
  },
  {
    name: 'events are read after a sequence number, up to a limit',
    async run({open}) {
      const {events: log} = await open();
      await append(log, ...Array.from({length: 600}, (_, index) => `t${index + 1}`));
      const tasks = async (filter: Parameters<EventLog['read']>[0]) => tasksOf(await log.read(filter));
      assert.deepEqual(await tasks({afterSeq: 598}), ['t599', 't600']);
      assert.deepEqual(await tasks({afterSeq: 256, limit: 2}), ['t257', 't258']);
      assert.deepEqual(await tasks({limit: 1}), ['t1']);
      assert.deepEqual(await tasks({limit: 0}), []);
      assert.deepEqual(await tasks({afterSeq: 600}), []);
      assert.deepEqual(await tasks({afterSeq: 9_999}), []);
    },
  },
  {
    name: 'a process decides on what others appended before, and receives it on refresh',
    async run({open}) {
      const [{events: log}, {events: other}] = [await open(), await open()];
      const received = await listen(other);
      await append(log, 'a');
      // A state may also deliver it earlier.
      await other.refresh();
      assert.deepEqual(tasksOf(received), ['a']);
      await append(log, 'b');
      const decided = await other.transact(() => ({events: [released('c')], result: tasksOf(received)}));
      assert.deepEqual(decided, ['a', 'b']);
      await log.refresh();
      assert.deepEqual(await log.read({}), await other.read({}));
    },
  },
  {
    name: 'of 60 transactions in three processes, exactly one is the first',
    async run({open}) {
      const logs = [(await open()).events, (await open()).events, (await open()).events];
      const known = await Promise.all(logs.map(listen));
      const attempts = logs.flatMap((log, index) =>
        Array.from({length: 20}, () =>
          log.transact(() => {
            const isFirst = known[index]?.length === 0;
            return {events: isFirst ? [released(`from-${index}`)] : [], result: isFirst};
          }),
        ),
      );
      assert.equal((await Promise.all(attempts)).filter(Boolean).length, 1);
      for (const log of logs) await log.refresh();
      assert.equal(known[0]?.length, 1);
      assert.deepEqual(known[1], known[0]);
      assert.deepEqual(known[2], known[0]);
    },
  },
];
