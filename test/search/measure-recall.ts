// Recall of the search: the share of labelled queries that find a right tool among the first five.
import {createToolCatalogue} from '@lumenflow/host/exec';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse} from 'yaml';

export type QuerySet = 'tuning' | 'unseen';

export interface Recall {
  readonly queries: number;
  readonly tools: number;
  /** Of the first five. */
  readonly recall: number;
  /** Of the first one. */
  readonly first: number;
  /** What the queries without a right tool found. */
  readonly misses: readonly string[];
}

type Tool = Pick<ToolDeclaration, 'name' | 'description' | 'input_schema' | 'internal_only'>;
type Labelled = readonly [query: string, right: readonly string[]];

const repository = join(import.meta.dirname, '..', '..');

export function measureRecall(set: QuerySet): Recall {
  const tools = labelledTools();
  const catalogue = createToolCatalogue({
    workspace: {tools: new Map(tools.map((declaration) => [declaration.name, {declaration}]))},
  });
  const queries = labelled()[set];
  const ranks = queries.map(([query, right]) => catalogue.search(query).findIndex((name) => right.includes(name)));
  const share = (most: number): number => ranks.filter((rank) => rank >= 0 && rank < most).length / queries.length;
  const misses = queries.flatMap(([query, right], index) => {
    const rank = ranks[index] ?? -1;
    const found = catalogue.search(query).slice(0, 5).join(' ');
    return rank >= 0 && rank < 5 ? [] : [`${query}: found ${found} instead of ${right.join(' or ')}`];
  });
  return {queries: queries.length, tools: tools.length, recall: share(5), first: share(1), misses};
}

/** Without their labels. */
export function labelledQueries(): readonly string[] {
  return Object.values(labelled()).flatMap((set) => set.map(([query]) => query));
}

function labelled(): Readonly<Record<QuerySet, readonly Labelled[]>> {
  return read('queries.json') as Readonly<Record<QuerySet, readonly Labelled[]>>;
}

/** Those of our packs and of the servers. */
export function labelledTools(): readonly Tool[] {
  return [...toolsOfServers(), ...toolsOfPack('software-delivery'), ...toolsOfPack('agent-runtime')];
}

function toolsOfServers(): readonly Tool[] {
  const servers = read('listed-servers.json') as readonly {readonly id: string; readonly tools: readonly Tool[]}[];
  return servers.flatMap(({id, tools}) => tools.map((tool) => ({...tool, name: `${id}:${tool.name}`})));
}

function toolsOfPack(id: string): readonly Tool[] {
  const folder = join(repository, 'packs', id);
  const manifest = parse(readFileSync(join(folder, 'manifest.yaml'), 'utf8')) as {
    readonly tools: readonly Tool[];
    readonly tool_files?: readonly string[];
  };
  const files = (manifest.tool_files ?? []).map(
    (file) => parse(readFileSync(join(folder, file), 'utf8')) as {readonly tools: readonly Tool[]},
  );
  return [manifest, ...files].flatMap(({tools}) => tools);
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
}
