import {describe, expect, it} from 'vitest';
import {makeNode} from './memory-node.fixture.ts';
import {searchNodes} from './search-nodes.ts';

const contents = (query: string, nodes = all): readonly string[] =>
  searchNodes(nodes, query).hits.map(({node}) => node.content);

const lexer = makeNode({content: 'The lexer drops byte order marks'});
const parser = makeNode({content: 'The parser calls the lexer for each token; the lexer is slow'});
const cafe = makeNode({content: 'Das Café schließt um sechs', tags: ['opening-hours']});
const path = makeNode({content: 'See src/parser/tokens.ts, line 12'});
const all = [cafe, lexer, parser, path];

describe('search', () => {
  it('ranks nodes with more of the words higher, and omits the rest', () => {
    expect(contents('lexer')).toEqual([parser.content, lexer.content]);
    expect(contents('lexer marks')).toEqual([lexer.content, parser.content]);
    expect(contents('zebra xylophone')).toEqual([]);
    expect(contents('…')).toEqual([]);
  });

  it('matches word beginnings in any case, with or without accents, tags and parts of paths', () => {
    expect(contents('TOKEN')).toEqual(expect.arrayContaining([parser.content, path.content]));
    expect(contents('cafe')).toEqual([cafe.content]);
    expect(contents('opening')).toEqual([cafe.content]);
    expect(contents('tokens.ts')).toContain(path.content);
  });

  it('requires quoted text', () => {
    expect(contents('"byte order"')).toEqual([lexer.content]);
    expect(contents('lexer "each token"')).toEqual([parser.content]);
    expect(contents('"order byte"')).toEqual([]);
  });

  it('tries similar spellings if nothing else matches', () => {
    expect(contents('lexre')).toEqual(expect.arrayContaining([lexer.content, parser.content]));
    expect(contents('tokken')).toContain(parser.content);
  });

  it('counts all matches, and ranks only the best if there are too many', () => {
    const many = Array.from({length: 3000}, (_, index) => makeNode({content: `token ${index}`}));
    const {hits, total} = searchNodes([lexer, ...many, parser], 'lexer token');
    expect(total).toBe(3002);
    expect(hits).toHaveLength(300);
    expect(hits[0]?.node).toBe(parser);
    expect(hits.map(({node}) => node)).toContain(many[2999]);
    expect(searchNodes([lexer], 'rks').total).toBe(0);
  });

  it('shows an excerpt with the words', () => {
    const long = makeNode({
      content: `${'filler '.repeat(200)}the needle and the thread ${'filler '.repeat(200)}needle`,
    });
    const [hit] = searchNodes([long], 'needle thread').hits;
    expect(hit?.snippet).toMatch(/^… .*the needle and the thread.* …$/);
    expect(hit?.snippet.split(' ').length).toBeLessThanOrEqual(32);
    expect(searchNodes([lexer], 'byte').hits[0]?.snippet).toBe(lexer.content);
  });
});
