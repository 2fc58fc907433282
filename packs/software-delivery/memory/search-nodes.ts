// Finds nodes by words, the best first: BM25 over those that hold any of the words, misspelt ones only when nothing else
// is found. A part of the query in quotes must be there as it is.
import MiniSearch from 'minisearch';
import type {MemoryNode} from './memory-node.ts';

export interface SearchHit {
  readonly node: MemoryNode;
  /** Comparable within one search only. */
  readonly score: number;
  /** Where the words stand, some 30 words of it. */
  readonly snippet: string;
}

export function searchNodes(nodes: readonly MemoryNode[], query: string): readonly SearchHit[] {
  const {words, phrases} = parseQuery(query);
  const texts = new Map(nodes.map((node) => [node, foldText(`${node.content}\n${node.tags.join(' ')}`)]));
  const allowed = nodes.filter((node) => phrases.every((phrase) => texts.get(node)?.includes(phrase)));
  const holding = allowed.filter((node) => words.some((word) => texts.get(node)?.includes(word)));
  const hits = rank(holding, words, false);
  return hits.length > 0 || phrases.length > 0 ? hits : rank(allowed, words, true);
}

/** Every word of a phrase ranks, too. */
function parseQuery(query: string): {readonly words: readonly string[]; readonly phrases: readonly string[]} {
  const folded = foldText(query);
  const phrases = [...folded.matchAll(/"([^"]+)"/gu)].map((match) => match[1]?.trim() ?? '');
  return {words: folded.match(/[\p{L}\p{N}]+/gu) ?? [], phrases: phrases.filter((phrase) => phrase !== '')};
}

/** Case and accents make no difference. */
function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

function rank(nodes: readonly MemoryNode[], words: readonly string[], fuzzy: boolean): readonly SearchHit[] {
  const index = new MiniSearch<{readonly id: number; readonly content: string; readonly tags: string}>({
    fields: ['content', 'tags'],
    processTerm: (term) => foldText(term) || null,
  });
  index.addAll(nodes.map(({content, tags}, id) => ({id, content, tags: tags.join(' ')})));
  const found = index.search(words.join(' '), {
    prefix: (term) => term.length > 2,
    fuzzy: fuzzy && editsAllowed,
    boost: {tags: 2},
  });
  return found.flatMap(({id, score, terms}) => {
    const node = nodes[Number(id)];
    return node === undefined ? [] : [{node, score: Number(score.toFixed(3)), snippet: snippetOf(node.content, terms)}];
  });
}

/** Two letters that changed places are two edits. */
function editsAllowed(term: string): number | false {
  if (term.length < 4) return false;
  return term.length < 5 ? 1 : 2;
}

const snippetWords = 30;

/** The stretch of words with the most of the terms. */
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
