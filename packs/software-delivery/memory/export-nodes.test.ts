import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {exportNodes} from './export-nodes.ts';
import {makeNode} from './memory-node.fixture.ts';

describe('an export', () => {
  it('in pages equals a single export', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({maxLength: 300}), {maxLength: 20}),
        fc.integer({min: 1, max: 1500}),
        (texts, bytes) => {
          const nodes = texts.map((content) => makeNode({content}));
          let pages = '';
          let rest = nodes;
          for (;;) {
            const {content, next_after: after} = exportNodes({nodes: rest, edges: []}, 'jsonl', bytes);
            pages += content;
            if (after === undefined) break;
            rest = rest.slice(rest.findIndex(({id}) => id === after) + 1);
          }
          expect(pages).toBe(exportNodes({nodes, edges: []}, 'jsonl', Infinity).content);
          expect(pages.split('\n').length - 1).toBe(nodes.length);
        },
      ),
    );
  });

  it('includes relations and how a node was closed', () => {
    const [from, to] = [
      makeNode({wu_id: 'WU-1', tags: ['a'], content: 'one\ntwo', closed: {as: 'promoted', at: 'then', into: 'WU-2'}}),
      makeNode(),
    ];
    const edges = [{kind: 'blocks', from: from.id, to: to.id}] as const;
    const {content} = exportNodes({nodes: [from, to], edges}, 'jsonl', Infinity);
    expect(
      content
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {...from, links: [{kind: 'blocks', to: to.id}]},
      {...to, links: []},
    ]);
    const {content: page} = exportNodes({nodes: [from], edges}, 'markdown', Infinity);
    expect(page).toBe(
      `## ${from.id}\n\nnote, session, P2 · ${from.created_at} · WU-1 · #a · promoted · blocks ${to.id}\n\none\ntwo\n\n`,
    );
  });
});
