import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createMemoryState} from '../memory-state.fixture.ts';
import type {DeliveryEvent} from './delivery-event.ts';
import {foldLog, foldTogether, openLogTexts} from './fold-log.ts';
import type {Slice} from './slice.ts';
import {writeSnapshot} from './snapshot.ts';

interface Noted extends DeliveryEvent {
  readonly text: string;
}

/** Keeps the texts that start with its letter. */
const sliceOf = (letter: string): Slice<string[], Noted> => ({
  name: `noted-${letter}`,
  version: 1,
  initial: [],
  evolve: (state, {text}) => (text.startsWith(letter) ? [...state, text] : state),
});
const slices = ['a', 'b', 'ä'].map(sliceOf);
const lineOf = (text: string): string => JSON.stringify({type: 'noted', at: 'then', by: 's-1', text});

describe('slices that are replayed together', () => {
  const texts = fc.array(fc.constantFrom('a1', 'b2', 'äöü', 'a€', 'none'), {maxLength: 20});

  it('equal each slice alone, wherever their snapshots ended', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(20), {minLength: 3, maxLength: 3}), async (noted, ends) => {
        const log = openLogTexts(createMemoryState().state);
        for (const [at, text] of noted.entries()) {
          for (const [index, slice] of slices.entries()) {
            if (ends[index] === at) await writeSnapshot(log.snapshot(slice.name), slice, await foldLog(log, slice));
          }
          await log.events.append([lineOf(text)]);
        }
        const folded = await foldTogether(log, slices);
        expect(folded.map(({state}) => state)).toEqual(
          ['a', 'b', 'ä'].map((letter) => noted.filter((text) => text.startsWith(letter))),
        );
        expect(await foldTogether(log, [])).toEqual([]);
        expect(new Set(folded.map(({offset, version}) => `${offset} ${version}`)).size).toBe(1);
      }),
    );
  });

  it('are rebuilt if a snapshot belongs to another log', async () => {
    for (const offset of [3, 10_000]) {
      const log = openLogTexts(createMemoryState().state);
      await log.events.append([lineOf('a1'), lineOf('b2')]);
      const [first = sliceOf('a')] = slices;
      await writeSnapshot(log.snapshot(first.name), first, {offset, state: ['of another log']});
      expect((await foldTogether(log, slices)).map(({state, snapshotOffset}) => [state, snapshotOffset])).toEqual([
        [['a1'], 0],
        [['b2'], 0],
        [[], 0],
      ]);
    }
  });

  it('report a damaged log', async () => {
    const log = openLogTexts(createMemoryState().state);
    await log.events.append([lineOf('a1'), 'no event']);
    await expect(foldTogether(log, slices)).rejects.toMatchObject({code: 'LOG_DAMAGED'});
  });
});
