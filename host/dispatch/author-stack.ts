// Maps a handler's stack to its author's sources: built files become source files, and frames of the host are omitted. A stack
// is untrusted text, so only source maps in the workspace's pack cache are read for it.
import {readFileSync} from 'node:fs';
import {SourceMap, type SourceMapPayload} from 'node:module';
import {dirname, join, relative, resolve} from 'node:path';
import type {ToolOutput} from '@lumenflow/schemas';

const builtPlace = /[^\s()]*\/cache\/packs\/([0-9a-f]{64})\/([\w.-]+\.[cm]?js):(\d+):(\d+)/u;
/** A handler can create a stack of any length itself. */
const framesMax = 100;

/** Returns the outcome with workspace-relative positions such as `packs/notes/tools/add.ts:4:11` in its error's stack. */
export function withAuthorStack<Outcome extends {readonly output: ToolOutput}>(
  root: string,
  outcome: Outcome,
): Outcome {
  const {error} = outcome.output;
  const stack = error?.details?.['stack'];
  if (error === undefined || typeof stack !== 'string') return outcome;
  const details = {...error.details, stack: authorStack(root, stack)};
  return {...outcome, output: {...outcome.output, error: {...error, details}}};
}

function authorStack(root: string, stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  const lines = stack.split('\n').slice(0, framesMax);
  const mapOf = (built: string): SourceMap | undefined => {
    if (!maps.has(built)) maps.set(built, readMap(`${built}.map`));
    return maps.get(built);
  };
  const mapped = lines.map((line) => {
    const [place, pack, file, row, column] = builtPlace.exec(line) ?? [];
    if (place === undefined || pack === undefined || file === undefined) return line;
    const built = join(root, '.lumenflow/cache/packs', pack, file);
    const entry = mapOf(built)?.findEntry(Number(row) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return line;
    const source = relative(root, resolve(dirname(built), entry.originalSource));
    return line.replace(place, () => `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`);
  });
  const last = mapped.findLastIndex((line, index) => line !== lines[index]);
  return last === -1 ? stack : mapped.slice(0, last + 1).join('\n');
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    // Positions are optional: without a source map the error is reported without them.
    return undefined;
  }
}
