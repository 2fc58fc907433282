import {describe, expect, it} from 'vitest';
import {page} from './page.ts';

const names = Array.from({length: 2_500}, (_, index) => `tool-${String(index).padStart(4, '0')}`);
const self = (name: string): string => name;

describe('a page', () => {
  it('leads to the next page until every entry was listed once', () => {
    const shown: string[] = [];
    let cursor: string | undefined;
    do {
      const {entries, nextCursor} = page(names, self, cursor);
      shown.push(...entries);
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(shown).toEqual(names);
  });

  it('continues after an entry that was removed', () => {
    const {nextCursor} = page(names, self, undefined);
    const rest = names.filter((name) => name !== 'tool-0999');
    expect(page(rest, self, nextCursor).entries[0]).toBe('tool-1000');
  });

  it.each(['', '%%%', 'dG9vbA='])('rejects the unknown cursor `%s`', (cursor) => {
    expect(() => page(names, self, cursor)).toThrow('the cursor is not from this server');
  });
});
