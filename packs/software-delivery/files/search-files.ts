// Searches files in the order of the walk, in batches, until a limit is reached.
import {isToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import type {FindInLine} from './find-in-line.ts';
import {searchText, type SearchMatch} from './search-text.ts';
import {decodeText} from './text-content.ts';

const batchSize = 16;
const filesMax = 20_000;
const fileBytesMax = 4 * 1024 * 1024;
const resultCharsMax = 512 * 1024;

export interface FileSearch {
  readonly find: FindInLine;
  readonly context_lines: number;
  readonly matches_max: number;
  readonly signal: AbortSignal;
}

export interface FileSearchResult {
  readonly matches: readonly SearchMatch[];
  readonly files_searched: number;
  /** Binary, or larger than 4 MiB. */
  readonly files_skipped: number;
  /** A limit ended the search before all files were read. */
  readonly truncated: boolean;
}

type FileOutcome = readonly SearchMatch[] | 'skipped' | 'gone';

export async function searchFiles(
  fs: ScopedFileSystem,
  paths: AsyncIterable<string>,
  search: FileSearch,
): Promise<FileSearchResult> {
  const matches: SearchMatch[] = [];
  const counts = {files_searched: 0, files_skipped: 0};
  let chars = 0;
  for await (const batch of inBatches(paths)) {
    search.signal.throwIfAborted();
    for (const outcome of await Promise.all(batch.map((path) => searchFile(fs, path, search)))) {
      if (outcome === 'gone') continue;
      if (outcome === 'skipped') {
        counts.files_skipped += 1;
        continue;
      }
      counts.files_searched += 1;
      for (const match of outcome) {
        chars += JSON.stringify(match).length;
        if (matches.length >= search.matches_max || chars > resultCharsMax)
          return {matches, ...counts, truncated: true};
        matches.push(match);
      }
    }
    if (counts.files_searched + counts.files_skipped >= filesMax) return {matches, ...counts, truncated: true};
  }
  return {matches, ...counts, truncated: false};
}

/** Requests one match more than needed, so that the caller can see that there are more. */
async function searchFile(fs: ScopedFileSystem, path: string, search: FileSearch): Promise<FileOutcome> {
  try {
    const stat = await fs.stat(path);
    if (stat?.kind !== 'file') return 'gone';
    if (stat.size > fileBytesMax) return 'skipped';
    const text = decodeText(await fs.read(path));
    if (text === undefined) return 'skipped';
    const bounds = {context_lines: search.context_lines, matches_max: search.matches_max + 1};
    return searchText({path, text, ...bounds}, search.find);
  } catch (error) {
    if (isToolError(error) && error.code === 'NOT_FOUND') return 'gone';
    throw error;
  }
}

async function* inBatches(paths: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const path of paths) {
    batch.push(path);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
