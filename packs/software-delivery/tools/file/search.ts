// file:search finds lines that contain a literal text or match an RE2 regular expression, in the same files as ripgrep.
import {defineTool, ToolError, isToolError, type ScopedFileSystem, type ToolDefinition} from '@lumenflow/pack-sdk';
import {compilePattern, type SearchPattern} from '../../files/find-in-line.ts';
import {compileGlob} from '../../files/match-glob.ts';
import {searchFiles, type FileSearchResult} from '../../files/search-files.ts';
import {walkFiles} from '../../files/walk-files.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface FileSearchInput extends SearchPattern {
  /** A file, or a directory to search. Default: the workspace root. */
  readonly path?: string;
  /** A file is searched if one of them matches, as in file:list. */
  readonly globs?: readonly string[];
  readonly exclude_globs?: readonly string[];
  readonly context_lines?: number;
  /** Default 200. */
  readonly max_results?: number;
  readonly include_hidden?: boolean;
  readonly include_ignored?: boolean;
}

export const fileSearch: ToolDefinition<FileSearchInput, FileSearchResult> = defineTool({
  async run(input, context) {
    const {fs, signal} = await inCheckout(context);
    if (/[\r\n]/.test(input.pattern)) {
      throw new ToolError('INVALID_PATTERN', 'the pattern contains a line break, but a search matches single lines');
    }
    return searchFiles(fs, selectFiles(fs, input), {
      find: compilePattern(input),
      context_lines: input.context_lines ?? 0,
      matches_max: input.max_results ?? 200,
      signal,
    });
  },
});

async function* selectFiles(fs: ScopedFileSystem, input: FileSearchInput): AsyncGenerator<string> {
  const start = input.path ?? '.';
  const wanted = input.globs?.map(compileGlob);
  const unwanted = (input.exclude_globs ?? []).map(compileGlob);
  const selected = (path: string): boolean =>
    (wanted === undefined || wanted.some((matches) => matches(path))) && !unwanted.some((matches) => matches(path));
  if (await isFile(fs, start)) {
    yield start;
    return;
  }
  for await (const {path, kind} of walkFiles(fs, {...input, start, depth_max: 64})) {
    if (kind === 'file' && selected(path)) yield path;
  }
}

/** A directory that only leads to granted files cannot be inspected itself, but can be walked. */
async function isFile(fs: ScopedFileSystem, path: string): Promise<boolean> {
  try {
    return (await fs.stat(path))?.kind === 'file';
  } catch (error) {
    if (isToolError(error) && error.code === 'SCOPE_DENIED') return false;
    throw error;
  }
}
