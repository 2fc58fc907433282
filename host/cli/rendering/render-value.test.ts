import {describe, expect, it} from 'vitest';
import {createStyle} from './style.ts';
import {renderValue} from './render-value.ts';

const plain = createStyle({colour: false, width: 60});

describe('renderValue', () => {
  it('shows fields below each other and long text as it is', () => {
    expect(renderValue({path: 'a', count: 2, gone: null, content: 'one\ntwo\n'}, plain)).toBe(
      ['path   a', 'count  2', 'gone   null', 'content:', '  one', '  two'].join('\n'),
    );
  });

  it('shows a list of records as a table', () => {
    const entries = [
      {path: 'a.txt', kind: 'file'},
      {path: 'b', kind: 'directory'},
    ];
    expect(renderValue({entries}, plain)).toBe(
      ['entries:', '  path   kind', '  a.txt  file', '  b      directory'].join('\n'),
    );
  });

  it('shows the name of a row first, and cuts no cell of a stream that is not a terminal', () => {
    const rows = [{timeout_ms: 5, optional: false, command: 'x'.repeat(90), name: 'test'}];
    const piped = createStyle({colour: false, width: 60, tableWidth: Number.POSITIVE_INFINITY});
    expect(renderValue(rows, piped).split('\n')[1]).toBe(`test  5           false     ${'x'.repeat(90)}`);
    expect(renderValue(rows, plain).split('\n')[1]).toMatch(/^test .*…$/u);
  });

  it('shows nested values with indentation', () => {
    expect(renderValue({a: {b: {c: 1}}, list: [{x: {y: 1}}, 'text']}, plain)).toBe(
      ['a:', '  b:', '    c  1', 'list:', '  - x:', '      y  1', '  - text'].join('\n'),
    );
  });

  it('shows scalars, empty values and escapes', () => {
    expect(renderValue('a\u001b[2J', plain)).toBe('a\\x1b[2J');
    expect(renderValue(7, plain)).toBe('7');
    expect(renderValue({none: [], nothing: {}, 'k\u0007': 'v'}, plain)).toBe('none     []\nnothing  {}\nk\\x07    v');
  });
});
