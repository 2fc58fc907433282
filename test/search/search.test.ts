// How well tools are found: labelled queries over our packs' tools and those of six MCP servers, which `list-servers.ts` listed. Rules
// were tuned on the first set of queries only. `npx tsx test/search/print-recall.ts` prints the figures and the misses.
import {createToolCatalogue} from '@lumenflow/host/exec';
import {expect, it} from 'vitest';
import {labelledTools, measureRecall} from './measure-recall.ts';

it.each(['tuning', 'unseen'] as const)('finds a right tool among the first five for nine of ten %s queries', (set) => {
  const {recall, queries} = measureRecall(set);
  expect(queries).toBeGreaterThan(60);
  expect(recall).toBeGreaterThanOrEqual(0.9);
});

it.each([
  ['git status', 'git:status'],
  ['list files', 'file:list'],
  ['wu claim', 'wu:claim'],
])('finds for `%s` the tool of this name first, among 1,000 tools', (query, name) => {
  const some = labelledTools();
  const tools = Array.from({length: 1_000}, (_, index) => {
    const declaration = some[index % some.length];
    if (declaration === undefined) throw new Error('no tool is listed');
    const copy = Math.floor(index / some.length);
    return {...declaration, name: `${declaration.name}${copy === 0 ? '' : `-${copy}`}`};
  });
  const catalogue = createToolCatalogue({
    workspace: {tools: new Map(tools.map((declaration) => [declaration.name, {declaration}]))},
  });
  expect(catalogue.search(query)[0]).toBe(name);
});
