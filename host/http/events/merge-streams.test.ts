import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {mergeStreams} from './merge-streams.ts';

test('texts come as each stream has them, and all streams end with the first', async () => {
  const ended: string[] = [];
  async function* stream(name: string, turns: number, rests: number): AsyncGenerator<string> {
    try {
      for (let turn = 1; turn <= turns; turn += 1) {
        for (let rest = 0; rest < rests; rest += 1) await setImmediate();
        yield `${name}${turn}`;
      }
    } finally {
      ended.push(name);
    }
  }
  const texts: string[] = [];
  for await (const text of mergeStreams([stream('a', 3, 5), stream('b', 100, 3)])) texts.push(text);
  expect(texts.filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  expect(texts).toContain('b1');
  expect(ended.toSorted()).toEqual(['a', 'b']);
});

test('a reader that stops ends all streams', async () => {
  const ended: string[] = [];
  async function* endless(name: string): AsyncGenerator<string> {
    try {
      for (;;) yield name;
    } finally {
      ended.push(name);
    }
  }
  const merged = mergeStreams([endless('a'), endless('b')]);
  await merged.next();
  await merged.return(undefined);
  expect(ended.toSorted()).toEqual(['a', 'b']);
});
