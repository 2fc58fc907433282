import {describe, expect, it} from 'vitest';
import {findByPrefix} from './find-by-prefix.ts';

const find = (prefix: string): string | undefined => findByPrefix(prefix, ['a-1', 'a-12', 'b-1'], (id) => id);

describe('findByPrefix', () => {
  it('finds the one that begins so, and the exact one among several', () => {
    expect(find('b')).toBe('b-1');
    expect(find('a-1')).toBe('a-1');
    expect(find('c')).toBeUndefined();
  });

  it('does not guess', () => {
    expect(() => find('a')).toThrow('2 ids begin with `a`');
  });
});
