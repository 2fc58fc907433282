// Prints how well the search finds tools: `npx tsx --conditions=@lumenflow/source test/search/print-recall.ts`.
import {measureRecall} from './measure-recall.ts';

for (const set of ['tuning', 'unseen'] as const) {
  const {queries, tools, recall, first, misses} = measureRecall(set);
  const figures = `recall@5 ${recall.toFixed(3)}, recall@1 ${first.toFixed(3)}`;
  process.stdout.write(
    `${set}: ${queries} queries, ${tools} tools, ${figures}\n${misses.map((miss) => `  ${miss}\n`).join('')}`,
  );
}
