import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';
import {editYaml} from './edit-yaml.ts';

const add = (text: string): string =>
  editYaml(text, (document) => {
    document.addIn(['list'], 'new');
  });

describe('editYaml', () => {
  it.each([
    ['at the margin', 'list:\n  - a\n', '\n# Later:\n# other:\n#   - b\n'],
    ['below a value', 'list:\n  - a\n', '  # - b\n\n\n# end'],
    ['with tabs and blank lines', 'list:\n  - a\n', '\n\t# one\n\n'],
  ])('keeps comments at the end of the file: %s', (_, content, comments) => {
    expect(add(content + comments)).toBe(`${content}  - new\n${comments}`);
  });

  it('keeps comments between and beside values, and the padding of braces', () => {
    const text = '# first\nother: { a: 1 } # beside\n\n# before\nlist:\n  - a\n';
    expect(add(text)).toBe(`${text}  - new\n`);
  });

  it('keeps a text that ends with lines that look like comments', () => {
    for (const style of ['|', '|+', '>']) {
      const text = `list:\n  - a\nlast: ${style}\n  text\n  # part of it\n\n`;
      expect(parse(add(text))).toEqual({...parse(text), list: ['a', 'new']});
    }
  });

  it('keeps the ends of lines and the byte order mark', () => {
    expect(add('\u{FEFF}list:\r\n  - a\r\n# end\r\n')).toBe('\u{FEFF}list:\r\n  - a\r\n  - new\r\n# end\r\n');
  });

  it('edits a file that has only comments', () => {
    const edited = editYaml('# nothing yet\n', (document) => document.set('a', 1));
    expect(edited).toContain('# nothing yet');
    expect(parse(edited)).toEqual({a: 1});
  });
});
