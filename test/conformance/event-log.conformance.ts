// What every event log keeps to, in memory or on disk.
import type {EventLog, NewEvent} from '@lumenflow/kernel/adapters';
import {sha256Hex} from '@lumenflow/kernel/node';
import type {KernelEvent} from '@lumenflow/schemas';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import type {OpenAdapters} from './open-adapters.ts';

function released(taskId: string, reason = 'done for today'): NewEvent {
  return {type: 'task_released', timestamp: '2026-01-02T03:04:05.678Z', actor: 'ann', task_id: taskId, reason};
}

async function append(log: EventLog, ...taskIds: readonly string[]): Promise<void> {
  await log.transact(() => ({events: taskIds.map((id) => released(id)), result: undefined}));
}

function tasksOf(events: readonly KernelEvent[]): readonly string[] {
  return events.flatMap((event) => ('task_id' in event ? [event.task_id] : []));
}

export function runEventLogConformance({name, create}: OpenAdapters<EventLog>): void {
  describe(`event log ${name}`, () => {
    let store: ReturnType<typeof create>;
    let log: EventLog;
    beforeEach(async () => {
      store = create();
      log = await store.open();
    });
    afterEach(() => store.remove());

    test('numbers events without a gap and chains them by the hash of the line before', async () => {
      await append(log, 'a', 'b');
      await append(log, 'c');
      const events = await log.read({});
      expect(tasksOf(events)).toEqual(['a', 'b', 'c']);
      expect(events.map(({seq}) => seq)).toEqual([1, 2, 3]);
      const hashes = events.map((event) => sha256Hex(JSON.stringify(event)));
      expect(events.map(({prev}) => prev)).toEqual(['0'.repeat(64), hashes[0], hashes[1]]);
    });

    test('gives the result of the decision, also when it appends nothing', async () => {
      expect(await log.transact(() => ({events: [], result: 'seen'}))).toBe('seen');
      expect(await log.read({})).toEqual([]);
    });

    test('a decision that throws leaves nothing and blocks no other', async () => {
      const boom = new Error('no');
      await expect(
        log.transact(() => {
          throw boom;
        }),
      ).rejects.toBe(boom);
      await append(log, 'a');
      expect(tasksOf(await log.read({}))).toEqual(['a']);
    });

    test('one invalid event refuses its whole transaction', async () => {
      const bad = {...released('b'), reason: 7} as unknown as NewEvent;
      await expect(log.transact(() => ({events: [released('a'), bad], result: 0}))).rejects.toMatchObject({
        code: 'BROKEN_INVARIANT',
      });
      await append(log, 'c');
      expect(tasksOf(await log.read({}))).toEqual(['c']);
    });

    test('keeps texts as they are', async () => {
      const texts = ['status: ok: 1', '0x10', '# comment', 'a\nb', '\u2028 \u0000 "\\', '💡', ''];
      await log.transact(() => ({events: texts.map((text) => released('a', text)), result: 0}));
      const kept = await (await store.open()).read({});
      expect(kept.map((event) => ('reason' in event ? event.reason : undefined))).toEqual(texts);
    });

    test('a listener receives past events, then each event before its transaction resolves', async () => {
      await append(log, 'a');
      const heard: KernelEvent[] = [];
      const stop = await log.onEvent((event) => heard.push(event));
      expect(tasksOf(heard)).toEqual(['a']);
      await log.transact(() => ({events: [released('b'), released('c')], result: 0}));
      expect(tasksOf(heard)).toEqual(['a', 'b', 'c']);
      stop();
      await append(log, 'd');
      expect(tasksOf(heard)).toEqual(['a', 'b', 'c']);
    });

    test('reads after a sequence number, so many at most', async () => {
      await append(log, ...Array.from({length: 600}, (_, index) => `t${index + 1}`));
      expect(tasksOf(await log.read({afterSeq: 598}))).toEqual(['t599', 't600']);
      expect(tasksOf(await log.read({afterSeq: 256, limit: 2}))).toEqual(['t257', 't258']);
      expect(tasksOf(await log.read({limit: 1}))).toEqual(['t1']);
      expect(await log.read({limit: 0})).toEqual([]);
      expect(await log.read({afterSeq: 600})).toEqual([]);
      expect(await log.read({afterSeq: 9_999})).toEqual([]);
    });

    test('decides on what others appended before, and receives it on refresh', async () => {
      const other = await store.open();
      const heard: KernelEvent[] = [];
      await other.onEvent((event) => heard.push(event));
      await append(log, 'a');
      expect(heard).toEqual([]);
      await other.refresh();
      expect(tasksOf(heard)).toEqual(['a']);
      await append(log, 'b');
      const decided = await other.transact(() => ({events: [released('c')], result: tasksOf(heard)}));
      expect(decided).toEqual(['a', 'b']);
      await log.refresh();
      expect(await log.read({})).toEqual(await other.read({}));
    });

    test('of many that meet in several processes one is first', async () => {
      const logs = [log, await store.open(), await store.open()];
      const known = await Promise.all(
        logs.map(async (each) => {
          const events: KernelEvent[] = [];
          await each.onEvent((event) => events.push(event));
          return events;
        }),
      );
      const attempts = logs.flatMap((each, index) =>
        Array.from({length: 20}, () =>
          each.transact(() => {
            const first = known[index]?.length === 0;
            return {events: first ? [released(`from-${index}`)] : [], result: first};
          }),
        ),
      );
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
      for (const each of logs) await each.refresh();
      expect(known[1]).toEqual(known[0]);
      expect(known[2]).toEqual(known[0]);
      expect(known[0]).toHaveLength(1);
    });
  });
}
