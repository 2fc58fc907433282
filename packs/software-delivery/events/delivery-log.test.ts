import {isToolError} from '@lumenflow/pack-sdk';
import {describe, expect, it} from 'vitest';
import {createMemoryState, type MemoryState} from '../memory-state.fixture.ts';
import type {DeliveryEvent} from './delivery-event.ts';
import {createDeliveryLog, type DeliveryLog, type LogContext} from './delivery-log.ts';
import type {Slice} from './slice.ts';

interface Counted extends DeliveryEvent {
  readonly type: 'counted';
  readonly count: number;
}

interface Counts {
  total: number;
  seen: number[];
}

const counts: Slice<Counts, Counted> = {
  name: 'counts',
  version: 1,
  initial: {total: 0, seen: []},
  evolve(state, event) {
    if (event.type !== 'counted') return state;
    state.total += event.count;
    state.seen.push(event.count);
    return state;
  },
};

const stamp = {at: '2026-01-01T00:00:00.000Z', by: 'session-1'};
const counted = (count: number): Counted => ({type: 'counted', ...stamp, count});

interface Opened {
  readonly log: DeliveryLog;
  readonly warnings: string[];
}

function open(memory: MemoryState, slice: typeof counts = counts, snapshotBytes = 1024): Opened {
  const warnings: string[] = [];
  const silent = (): void => {};
  const context: LogContext = {
    state: memory.state,
    log: {debug: silent, info: silent, warn: (message) => void warnings.push(message), error: silent},
  };
  return {log: createDeliveryLog(context, {slices: [slice], snapshotBytes}), warnings};
}

async function count(log: DeliveryLog, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    await log.decide(counts, ({total}) => ({events: [counted(total === 0 ? 1 : 2)], result: undefined}));
  }
}

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'resolved',
    (error: unknown) => (isToolError(error) ? error.code : String(error)),
  );

describe('the delivery log', () => {
  it('is empty before the first event, and returns the decision’s result', async () => {
    const memory = createMemoryState();
    const {log} = open(memory);
    expect(await log.read(counts)).toEqual({total: 0, seen: []});
    const result = await log.decide(counts, ({total}) => ({events: [counted(3), counted(4)], result: total}));
    expect(result).toBe(0);
    expect(await open(memory).log.read(counts)).toEqual({total: 7, seen: [3, 4]});
    expect(counts.initial).toEqual({total: 0, seen: []});
  });

  it('writes nothing for a decision without events, or if deciding fails', async () => {
    const memory = createMemoryState();
    const {log} = open(memory);
    expect(await log.decide(counts, () => ({events: [], result: 'as it is'}))).toBe('as it is');
    const refused = log.decide(counts, () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(memory.texts.size).toBe(0);
  });

  it('makes the second of two writers decide again on the new state', async () => {
    const memory = createMemoryState();
    const writers = [open(memory).log, open(memory).log, open(memory).log];
    await Promise.all(writers.map((log) => count(log, 20)));
    const {total, seen} = await open(memory).log.read(counts);
    expect(seen.filter((each) => each === 1)).toHaveLength(1);
    expect([seen.length, total]).toEqual([60, 119]);
  });

  it('fails if other writers are always faster', async () => {
    const memory = createMemoryState();
    const {log} = open(memory);
    const lost = log.decide(counts, () => {
      const text = memory.texts.get('events') ?? '';
      memory.texts.set('events', `${text}${JSON.stringify(counted(1))}\n`);
      return {events: [counted(2)], result: undefined};
    });
    expect(await codeOf(lost)).toBe('LOG_CONTENDED');
    expect((await log.read(counts)).seen).not.toContain(2);
  });

  it('passes on other errors of an append', async () => {
    const memory = createMemoryState();
    const full = (): never => {
      throw new Error('no space left');
    };
    const state: MemoryState['state'] = (name) => ({...memory.state(name), append: full});
    expect(await codeOf(count(open({...memory, state}).log, 1))).toBe('Error: no space left');
  });

  it('ignores events of other domains', async () => {
    const memory = createMemoryState();
    const other = {type: 'renamed', ...stamp};
    memory.texts.set('events', `${JSON.stringify(other)}\n${JSON.stringify(counted(5))}\n`);
    expect((await open(memory).log.read(counts)).total).toBe(5);
  });

  it('ignores a line that a crash left incomplete', async () => {
    const memory = createMemoryState();
    const {log} = open(memory);
    await count(log, 2);
    memory.texts.set('events', `${memory.texts.get('events')}{"type":"counted","co`);
    expect((await log.read(counts)).total).toBe(3);
    await count(log, 1);
    expect((await log.read(counts)).total).toBe(5);
  });

  it.each(['not json', '{"type":"counted"}', 'null', `"${'x'.repeat(200)}"`])(
    'decides nothing on a log with the line %s',
    async (line) => {
      const memory = createMemoryState();
      memory.texts.set('events', `${line}\n`);
      const {log} = open(memory);
      expect(await codeOf(log.read(counts))).toBe('LOG_DAMAGED');
      expect(await codeOf(count(log, 1))).toBe('LOG_DAMAGED');
    },
  );
});

describe('snapshots', () => {
  async function withSnapshot(): Promise<MemoryState> {
    const memory = createMemoryState();
    await count(open(memory).log, 60);
    return memory;
  }

  const kept = (memory: MemoryState): {offset: number; state: Counts} =>
    JSON.parse(memory.texts.get('snapshots/counts') ?? '') as {offset: number; state: Counts};

  it('are written periodically and replace the replay of earlier events', async () => {
    const memory = await withSnapshot();
    const log = memory.texts.get('events') ?? '';
    const {offset, state} = kept(memory);
    expect(log.length - offset).toBeLessThan(2048);
    memory.texts.set('events', `${' '.repeat(offset - 1)}\n${log.slice(offset)}`);
    const read = await open(memory).log.read(counts);
    expect(read.seen.length).toBe(60);
    expect(state.seen.length).toBeLessThan(60);
  });

  it.each([
    ['is lost', (memory: MemoryState) => void memory.texts.delete('snapshots/counts')],
    ['is no JSON', (memory: MemoryState) => void memory.texts.set('snapshots/counts', '{"version":1,')],
    ['is null', (memory: MemoryState) => void memory.texts.set('snapshots/counts', 'null')],
    ['has no state', (memory: MemoryState) => void memory.texts.set('snapshots/counts', '{"version":1,"offset":9}')],
  ])('are rebuilt if one %s', async (_, damage) => {
    const memory = await withSnapshot();
    damage(memory);
    const {log} = open(memory);
    expect((await log.read(counts)).total).toBe(119);
    await count(log, 1);
    expect(kept(memory).state.total).toBe(121);
  });

  it('are rebuilt by another version of the fold', async () => {
    const memory = await withSnapshot();
    const doubled: typeof counts = {
      ...counts,
      version: 2,
      evolve: (state, event) => ({...state, total: state.total + 2 * event.count}),
    };
    expect((await open(memory).log.read(doubled)).total).toBe(238);
  });

  it.each([
    ['shorter', `${JSON.stringify(counted(7))}\n`],
    ['of other lines', `${JSON.stringify({...counted(7), text: 'x'.repeat(10_000)})}\n`],
  ])('are rebuilt if the log is a different one, %s', async (_, log) => {
    const memory = await withSnapshot();
    memory.texts.set('events', log);
    expect(await open(memory).log.read(counts)).toEqual({total: 7, seen: [7]});
  });

  it('undo nothing if they cannot be written', async () => {
    const memory = createMemoryState();
    const state: MemoryState['state'] = (name) => ({
      ...memory.state(name),
      ...(name.startsWith('snapshots/') && {write: () => Promise.reject(new Error('too large'))}),
    });
    const {log, warnings} = open({...memory, state});
    await count(log, 60);
    expect((await log.read(counts)).total).toBe(119);
    expect(warnings[0]).toBe('the snapshot of `counts` was not written: Error: too large');
  });
});
