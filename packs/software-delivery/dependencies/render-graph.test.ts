import {expect, test} from 'vitest';
import {renderAscii, renderMermaid, renderTable, type GraphNode} from './render-graph.ts';

const node = (id: string, status: GraphNode['status'], depends_on: readonly string[] = []): GraphNode => ({
  id,
  title: `Title of "${id}"`,
  status,
  depends_on,
});
const nodes = [
  node('WU-1', 'ready', ['WU-2', 'WU-3']),
  node('WU-2', 'in_progress', ['WU-3']),
  node('WU-3', 'done', ['WU-9']),
  node('WU-9', 'unknown'),
  node('WU-10', 'blocked'),
];

test('as a table', () => {
  expect(renderTable(nodes).split('\n')).toEqual([
    'id     status       depends on  title',
    'WU-1   ready        WU-2 WU-3   Title of "WU-1"',
    'WU-2   in_progress  WU-3        Title of "WU-2"',
    'WU-3   done         WU-9        Title of "WU-3"',
    'WU-9   unknown      -           Title of "WU-9"',
    'WU-10  blocked      -           Title of "WU-10"',
  ]);
});

test('as a tree, each unit below its dependents, expanded once', () => {
  expect(renderAscii(nodes).split('\n')).toEqual([
    '[ ] WU-1 Title of "WU-1"',
    '|- [>] WU-2 Title of "WU-2"',
    '|  `- [x] WU-3 Title of "WU-3"',
    '|     `- [?] WU-9 Title of "WU-9"',
    '`- [x] WU-3 (see above)',
    '[!] WU-10 Title of "WU-10"',
  ]);
});

test('as a mermaid chart, quotes and angles escaped', () => {
  const lines = renderMermaid([node('WU-1', 'ready', ['WU-2']), {...node('WU-2', 'done'), title: 'a <b> & c'}]).split(
    '\n',
  );
  expect(lines.slice(0, 4)).toEqual([
    'graph LR',
    '  WU_1["WU-1: Title of #quot;WU-1#quot;"]:::ready',
    '  WU_2["WU-2: a #lt;b#gt; #amp; c"]:::done',
    '  WU_2 --> WU_1',
  ]);
});

test('a tree of a long chain, without a stack overflow', () => {
  const chain = Array.from({length: 5000}, (_, index) =>
    node(`WU-${index}`, 'ready', index < 4999 ? [`WU-${index + 1}`] : []),
  );
  expect(renderAscii(chain).split('\n')).toHaveLength(5000);
});
