import {assert, oneof, property, stringMatching, tuple} from 'fast-check';
import {describe, expect, it} from 'vitest';
import {fromMcpName, toMcpName} from './tool-name.ts';

const word = stringMatching(/^[a-z][a-z0-9-]{0,30}$/);
const toolName = oneof(
  word,
  tuple(word, word).map(([domain, verb]) => `${domain}:${verb}`),
);

describe('the encoding of tool names', () => {
  it('is reversible, and uses only characters that every client accepts', () => {
    assert(
      property(toolName, (name) => {
        expect(toMcpName(name)).toMatch(/^[a-z0-9_-]{1,64}$/);
        expect(fromMcpName(toMcpName(name))).toBe(name);
      }),
    );
  });

  it.each(['file:read', 'a_b-c', 'a:b_c'])('has one spelling for each tool: `%s` is none', (spelling) => {
    expect(fromMcpName(spelling)).not.toMatch(/^[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)?$/);
  });
});
