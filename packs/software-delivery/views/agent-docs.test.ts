import {describe, expect, it} from 'vitest';
import {isMarked, syncedText} from './agent-docs.ts';

const source = {path: 'AGENTS.md', text: '# Rules\n\nBe kind.\n'};
const block = '<!-- agent-docs:begin AGENTS.md, copied by docs:sync -->\n# Rules\n\nBe kind.\n<!-- agent-docs:end -->';
const synced = (text: string | undefined, adopt = false): string =>
  syncedText(source, {path: 'CLAUDE.md', text}, adopt);

describe('a copy of the instructions', () => {
  it.each([undefined, '', ' \n'])('is the whole content of an empty file: %j', (text) => {
    expect(synced(text)).toBe(`${block}\n`);
  });

  it('is between markers, and the text around it stays', () => {
    const old = block.replace('Be kind.', 'Be quick.');
    expect(synced(`Mine above\n${old}\nMine below`)).toBe(`Mine above\n${block}\nMine below`);
    expect(synced(synced(undefined))).toBe(synced(undefined));
  });

  it('is inserted into a file with its own text only with `adopt`', () => {
    expect(() => synced('Mine')).toThrow(expect.objectContaining({code: 'TARGET_UNMARKED'}));
    expect(synced('Mine\n', true)).toBe(`${block}\n\nMine\n`);
    expect(isMarked('Mine')).toBe(false);
    expect(isMarked(synced('Mine', true))).toBe(true);
    expect(isMarked('<!-- agent-docs:end --> <!-- agent-docs:begin x')).toBe(false);
  });
});
