import {program} from './support/program.mjs';

export async function main() {
  const {top} = program('words', 'Lists the most frequent words of its input')
    .option('--top <n>', 'words', '3')
    .parse()
    .opts();
  // later: count hyphenated words as one
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  const counts = new Map();
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b));
  for (const [word, count] of sorted.slice(0, Number(top))) console.log('%s %d', word, count);
}
