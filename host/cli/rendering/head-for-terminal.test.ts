import {expect, it} from 'vitest';
import {headForTerminal} from './head-for-terminal.ts';
import {createStyle} from './style.ts';

const terminal = createStyle({colour: false, width: 80});
const file = createStyle({colour: false, width: 80, tableWidth: Number.POSITIVE_INFINITY});
const long = `${'x'.repeat(99)}\n`.repeat(10_000);

it('prints at most 64 KiB to a terminal, up to the end of a line, and says how to get the rest', () => {
  const text = headForTerminal(long, terminal);
  const lines = text.split('\n');
  expect(text.length).toBeLessThan(66_000);
  expect(lines.slice(0, -1).every((line) => line === 'x'.repeat(99))).toBe(true);
  expect(lines.at(-1)).toBe(
    `… ${(long.length - (lines.length - 1) * 100 + 1).toLocaleString('en')} more characters: add --json, or write the output to a file with > FILE`,
  );
});

it('cuts one long line, but no character', () => {
  const text = headForTerminal('😀'.repeat(100_000), terminal);
  expect(text).not.toMatch(/\p{Surrogate}/u);
  expect(text).toContain('more characters');
});

it('prints everything to a file, and short texts to a terminal', () => {
  expect(headForTerminal(long, file)).toBe(long);
  expect(headForTerminal('short', terminal)).toBe('short');
});
