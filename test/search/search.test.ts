// How well tools are found: labelled queries over our packs' tools and those of six MCP servers, which `list-servers.ts` listed. Rules
// were tuned on the first set of queries only. `npx tsx test/search/print-recall.ts` prints the figures and the misses.
import {expect, it} from 'vitest';
import {measureRecall} from './measure-recall.ts';

it.each(['tuning', 'unseen'] as const)('finds a right tool among the first five for nine of ten %s queries', (set) => {
  const {recall, queries} = measureRecall(set);
  expect(queries).toBeGreaterThan(60);
  expect(recall).toBeGreaterThanOrEqual(0.9);
});
