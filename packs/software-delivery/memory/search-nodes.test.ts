import {describe, expect, it} from 'vitest';
import {makeNode} from './memory-node.fixture.ts';
import {searchNodes} from './search-nodes.ts';

const contents = (query: string, nodes = all): readonly string[] =>
  searchNodes(nodes, query).map(({node}) => node.content);

const lexer = makeNode({content: 'The lexer drops byte order marks'});
const parser = makeNode({content: 'The parser calls the lexer for each token; the lexer is slow'});
const cafe = makeNode({content: 'Das Café schließt um sechs', tags: ['opening-hours']});
const path = makeNode({content: 'See src/parser/tokens.ts, line 12'});
const all = [cafe, lexer, parser, path];

describe('search', () => {
  it('ranks what holds more of the words higher, and leaves out the rest', () => {
    expect(contents('lexer')).toEqual([parser.content, lexer.content]);
    expect(contents('lexer marks')).toEqual([lexer.content, parser.content]);
    expect(contents('zebra xylophone')).toEqual([]);
    expect(contents('…')).toEqual([]);
  });

  it('takes beginnings of words, any case, accents or none, tags and parts of paths', () => {
    expect(contents('TOKEN')).toEqual(expect.arrayContaining([parser.content, path.content]));
    expect(contents('cafe')).toEqual([cafe.content]);
    expect(contents('opening')).toEqual([cafe.content]);
    expect(contents('tokens.ts')).toContain(path.content);
  });

  it('insists on what is in quotes', () => {
    expect(contents('"byte order"')).toEqual([lexer.content]);
    expect(contents('lexer "each token"')).toEqual([parser.content]);
    expect(contents('"order byte"')).toEqual([]);
  });

  it('tries misspelt words when nothing else is found', () => {
    expect(contents('lexre')).toEqual(expect.arrayContaining([lexer.content, parser.content]));
    expect(contents('tokken')).toContain(parser.content);
  });

  it('shows the stretch where the words stand', () => {
    const long = makeNode({
      content: `${'filler '.repeat(200)}the needle and the thread ${'filler '.repeat(200)}needle`,
    });
    const [hit] = searchNodes([long], 'needle thread');
    expect(hit?.snippet).toMatch(/^… .*the needle and the thread.* …$/);
    expect(hit?.snippet.split(' ').length).toBeLessThanOrEqual(32);
    expect(searchNodes([lexer], 'byte')[0]?.snippet).toBe(lexer.content);
  });
});
