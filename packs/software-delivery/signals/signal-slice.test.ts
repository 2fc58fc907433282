import {describe, expect, it} from 'vitest';
import {inboxOf, type InboxQuery} from './inbox.ts';
import type {NewSignal, SignalEvent} from './signal.ts';
import {receiptsOf, signalSlice, signalsKept, type SignalState} from './signal-slice.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const sent = (id: string, changes: Partial<NewSignal> = {}, second = 0): SignalEvent => ({
  type: 'signal_sent',
  at: at(second),
  by: 's-1',
  signal: {id, kind: 'info', message: id, from: 'ada', ...changes},
});
const acknowledged = (reader: string, ...ids: string[]): SignalEvent => ({
  type: 'signal_acknowledged',
  at: at(9),
  by: 's',
  reader,
  ids,
});
const fold = (...events: SignalEvent[]): SignalState =>
  events.reduce((state, event) => signalSlice.evolve(state, event), structuredClone(signalSlice.initial));
const idsOf = (state: SignalState, query: Partial<InboxQuery> = {}): readonly string[] =>
  inboxOf(state, {reader: 'bob', now: at(100), ...query}).map(({id}) => id);

describe('an inbox', () => {
  const state = fold(
    sent('all'),
    sent('bob', {to: 'bob'}, 1),
    sent('eve', {to: 'eve'}, 2),
    sent('wu', {wu_id: 'WU-1', lane: 'core'}, 3),
    sent('own', {from: 'bob'}, 4),
    sent('expired', {expires_at: at(50)}, 5),
  );

  it('has the signals for the reader and for everyone, newest first', () => {
    expect(idsOf(state)).toEqual(['wu', 'bob', 'all']);
    expect(idsOf(state, {now: at(49)})).toEqual(['expired', 'wu', 'bob', 'all']);
    expect(idsOf(state, {reader: 'eve'})).toEqual(['own', 'wu', 'eve', 'all']);
  });

  it.each([
    [{wu_id: 'WU-2'}, ['bob', 'all']],
    [{lane: 'core'}, ['wu', 'bob', 'all']],
    [{lane: 'ui'}, ['bob', 'all']],
    [{from: 'eve'}, []],
    [{since: at(1)}, ['wu', 'bob']],
  ])('can be queried with %j', (query, ids) => {
    expect(idsOf(state, query)).toEqual(ids);
  });

  it('keeps acknowledgements for each reader', () => {
    const read = fold(sent('a'), sent('b'), acknowledged('bob', 'a'), acknowledged('bob', 'a'));
    expect(idsOf(read)).toEqual(['b']);
    expect(idsOf(read, {reader: 'eve'})).toEqual(['b', 'a']);
    expect(
      inboxOf(read, {reader: 'bob', now: at(0), include_read: true}).map(({id, read: seen}) => [id, seen]),
    ).toEqual([
      ['b', false],
      ['a', true],
    ]);
    expect(idsOf(read, {reader: 'constructor'})).toEqual(['b', 'a']);
  });
});

describe('the kept signals', () => {
  it('are deleted with their acknowledgements', () => {
    const state = fold(sent('a'), sent('b'), acknowledged('bob', 'a'), acknowledged('eve', 'a', 'b'), {
      type: 'signal_forgotten',
      at: at(1),
      by: 's',
      ids: ['a'],
    });
    expect(state.signals.map(({id}) => id)).toEqual(['b']);
    expect(receiptsOf(state, 'bob')).toBeUndefined();
    expect(receiptsOf(state, 'eve')).toEqual(['b']);
  });

  it('are the newest, regardless of how many are sent', () => {
    const events = Array.from({length: signalsKept * 2}, (_, index) => sent(`s-${index}`));
    const {signals} = fold(...events);
    expect(signals.length).toBeGreaterThanOrEqual(signalsKept);
    expect(signals.length).toBeLessThan(signalsKept * 1.2);
    expect(signals.at(-1)?.id).toBe(`s-${signalsKept * 2 - 1}`);
  });
});
