// Finds nodes by words, best match first: BM25 over nodes with any of the words. Similar spellings are tried only if nothing else
// matches. Quoted text must match exactly.
import MiniSearch from 'minisearch';
import type {MemoryNode} from './memory-node.ts';

/** What is searched. Tags count twice. */
export type Searchable = Pick<MemoryNode, 'content' | 'tags' | 'created_at'>;

export interface SearchHit<Node extends Searchable = MemoryNode> {
  readonly node: Node;
  /** Comparable within one search only. */
  readonly score: number;
  /** An excerpt with the words, about 30 words long. */
  readonly snippet: string;
}

export interface SearchResult<Node extends Searchable = MemoryNode> {
  /** The best matches, at most 300. */
  readonly hits: readonly SearchHit<Node>[];
  readonly total: number;
}

interface FoldedNode<Node extends Searchable> {
  readonly node: Node;
  /** Content and tags, without case and accents. */
  readonly text: string;
}

/** Limits ranking to the newest of the nodes with the most words. */
const rankedMax = 300;

export function searchNodes<Node extends Searchable>(nodes: readonly Node[], query: string): SearchResult<Node> {
  const {words, phrases} = parseQuery(query);
  const folded = nodes.map((node) => ({node, text: foldText(`${node.content}\n${node.tags.join(' ')}`)}));
  const allowed = folded.filter(({text}) => phrases.every((phrase) => text.includes(phrase)));
  const found = find(allowed, words);
  return found.total > 0 || phrases.length > 0 ? found : find(allowed, similarWords(allowed, words));
}

/** The words of a phrase also count for ranking. */
function parseQuery(query: string): {readonly words: readonly string[]; readonly phrases: readonly string[]} {
  const folded = foldText(query);
  const phrases = [...folded.matchAll(/"([^"]+)"/gu)].map((match) => match[1]?.trim() ?? '');
  return {words: [...new Set(wordsOf(folded))], phrases: phrases.filter((phrase) => phrase !== '')};
}

function foldText(text: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(text);
  return (isAscii ? text : text.normalize('NFKD').replaceAll(/\p{M}/gu, '')).toLowerCase();
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function find<Node extends Searchable>(
  folded: readonly FoldedNode<Node>[],
  words: readonly string[],
): SearchResult<Node> {
  const matching = folded
    .map(({node, text}) => ({node, count: words.filter((word) => beginsWord(text, word)).length}))
    .filter(({count}) => count > 0);
  const promising = matching
    .toSorted((a, b) => b.count - a.count || (a.node.created_at < b.node.created_at ? 1 : -1))
    .slice(0, rankedMax)
    .map(({node}) => node);
  return {hits: rank(promising, words), total: matching.length};
}

/** True if the text has a word that starts with these letters. */
function beginsWord(text: string, letters: string): boolean {
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

function rank<Node extends Searchable>(nodes: readonly Node[], words: readonly string[]): readonly SearchHit<Node>[] {
  const index = new MiniSearch<{readonly id: number; readonly content: string; readonly tags: string}>({
    fields: ['content', 'tags'],
    tokenize: wordsOf,
    processTerm: foldText,
  });
  index.addAll(nodes.map(({content, tags}, id) => ({id, content, tags: tags.join(' ')})));
  return index.search(words.join(' '), {prefix: true, boost: {tags: 2}}).flatMap(({id, score, terms}) => {
    const node = nodes[Number(id)];
    return node === undefined ? [] : [{node, score: Number(score.toFixed(3)), snippet: snippetOf(node.content, terms)}];
  });
}

/** Words in the texts that differ from the query's words by one or two edits. */
function similarWords(folded: readonly FoldedNode<Searchable>[], words: readonly string[]): readonly string[] {
  const vocabulary = [...new Set(folded.flatMap(({text}) => wordsOf(text)))];
  const index = new MiniSearch<{readonly id: number; readonly word: string}>({fields: ['word'], tokenize: wordsOf});
  index.addAll(vocabulary.map((word, id) => ({id, word})));
  const found = words.flatMap((word) => index.search(word, {fuzzy: editsAllowed(word)}));
  return found.flatMap(({id}) => vocabulary[Number(id)] ?? []);
}

/** Two swapped letters are two edits. */
function editsAllowed(word: string): number | false {
  if (word.length < 4) return false;
  return word.length < 5 ? 1 : 2;
}

const snippetWords = 30;

/** The excerpt with the most search terms. */
function snippetOf(content: string, terms: readonly string[]): string {
  const words = content.split(/\s+/u).filter((word) => word !== '');
  const matches = words.map((word) => {
    const folded = foldText(word);
    return terms.filter((term) => folded.includes(term));
  });
  const starts = matches.flatMap((found, at) => (found.length > 0 ? [Math.max(0, at - 5)] : []));
  const distinct = (start: number): number => new Set(matches.slice(start, start + snippetWords).flat()).size;
  const best = starts.reduce((best, start) => (distinct(start) > distinct(best) ? start : best), starts[0] ?? 0);
  const end = best + snippetWords;
  return `${best > 0 ? '… ' : ''}${words.slice(best, end).join(' ')}${end < words.length ? ' …' : ''}`;
}
