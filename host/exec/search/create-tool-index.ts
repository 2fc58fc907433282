// Ranks tools by a query's words: BM25 over name, description and input properties, with beginnings of words, synonyms, and
// similar spellings of words that no tool has.
import type {ToolDeclaration} from '@lumenflow/schemas';
import MiniSearch, {type SearchResult} from 'minisearch';
import {firstSentence} from '../../text/first-sentence.ts';
import {searchWords} from './search-words.ts';
import {synonyms} from './synonyms.ts';

export interface ToolIndex {
  /** Names of the tools with any of the words, best match first. */
  search(query: string): readonly string[];
}

export type IndexedTool = Pick<ToolDeclaration, 'name' | 'description' | 'input_schema'>;

interface QueryWords {
  readonly asked: readonly string[];
  /** Their synonyms. */
  readonly similar: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly words: string;
  readonly text: string;
}

/** A word of the name or of the first sentence describes the whole tool. */
const weights = {words: 3, text: 1};
const synonymWeight = 0.4;
/** A longer query would find everything, and takes longer. */
const wordsMax = 24;
/** A word in more tools than that hardly ranks them, and takes most of the time. */
const rareMax = 1_000;
/** Enough to choose from. */
const enough = 50;
/** Of the best matches, those that are ranked again by their names. */
const rankedMax = 300;
/** For a tool whose name has the words of the query and no others. */
const nameWeight = 2;

export function createToolIndex(tools: Iterable<IndexedTool>): ToolIndex {
  /** Tools with the word. */
  const spread = new Map<string, number>();
  const index = new MiniSearch<Entry>({
    idField: 'name',
    fields: Object.keys(weights),
    tokenize: searchWords,
    processTerm: (term) => term,
  });
  for (const tool of tools) {
    const entry = entryOf(tool);
    for (const word of new Set(searchWords(`${entry.words} ${entry.text}`)))
      spread.set(word, (spread.get(word) ?? 0) + 1);
    index.add(entry);
  }

  function find({asked, similar}: QueryWords, candidates?: ReadonlySet<string>): readonly string[] {
    const found = index.search([...new Set([...asked, ...similar])].join(' '), {
      boost: weights,
      tokenize: (text) => text.split(' '),
      boostTerm: (_term, position) => (position < asked.length ? 1 : synonymWeight),
      prefix: (term, position) => position < asked.length && term.length > 2,
      fuzzy: (term, position) => (position < asked.length && !spread.has(term) && term.length > 3 ? 0.25 : false),
      ...(candidates && {boostDocument: (name: string) => (candidates.has(name) ? 1 : 0)}),
    });
    return byName(found, new Set(asked));
  }

  const isRare = (word: string): boolean => (spread.get(word) ?? 0) <= rareMax;
  return {
    search(query) {
      const asked = [...new Set(searchWords(query))].slice(0, wordsMax);
      const similar = asked.flatMap((word) => synonyms.get(word) ?? []).filter(isRare);
      if (asked.every(isRare)) return find({asked, similar});
      const candidates = new Set(find({asked: asked.filter(isRare), similar}));
      return find({asked, similar}, candidates.size < enough ? undefined : candidates);
    },
  };
}

/** A tool is what its name says: words of its description are also those of other tools. */
function byName(found: readonly SearchResult[], asked: ReadonlySet<string>): readonly string[] {
  const score = ({id, score: matched}: SearchResult): number =>
    matched * (1 + nameWeight * likeness(id as string, asked));
  const ranked = found
    .slice(0, rankedMax)
    .map((result) => ({result, score: score(result)}))
    .toSorted((one, other) => other.score - one.score)
    .map(({result}) => result);
  return [...ranked, ...found.slice(rankedMax)].map(({id}) => id as string);
}

/** 1 if the name has exactly the words, 0 if it has none of them. */
function likeness(name: string, asked: ReadonlySet<string>): number {
  const words = new Set(searchWords(name));
  const named = [...words].filter((word) => asked.has(word)).length;
  return (named / words.size) * (named / asked.size) || 0;
}

function entryOf({name, description, input_schema}: IndexedTool): Entry {
  const summary = firstSentence(description);
  return {name, words: `${name} ${name} ${summary}`, text: `${description} ${propertiesOf(input_schema)}`};
}

/** Names and descriptions, of the input itself only. */
function propertiesOf(schema: IndexedTool['input_schema']): string {
  const properties: object = Object(schema?.['properties']);
  return Object.entries(properties)
    .map(([name, property]) => {
      const description: unknown = Object(property).description;
      return typeof description === 'string' ? `${name} ${description}` : name;
    })
    .join('\n');
}
