// Where a handler's error came from, in its author's own file: the stack names the built file, the map beside that one
// the source. A stack is only what the handler says, so no file but a map of the workspace's pack cache is read for it.
import {readFileSync} from 'node:fs';
import {SourceMap, type SourceMapPayload} from 'node:module';
import {dirname, join, relative, resolve} from 'node:path';

const builtPlace = /\/cache\/packs\/(?<pack>[0-9a-f]{64})\/(?<file>[\w.-]+\.[cm]?js):(?<line>\d+):(?<column>\d+)/u;

/** `my-pack/tools/greet.ts:4:11`, relative to the workspace; undefined when the stack names no place of a pack. */
export function handlerPlace(workspaceRoot: string, stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined;
  const {pack, file, line, column} = builtPlace.exec(stack)?.groups ?? {};
  if (pack === undefined || file === undefined) return undefined;
  const built = join(workspaceRoot, '.lumenflow/cache/packs', pack, file);
  const map = readMap(`${built}.map`);
  const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return undefined;
  const source = relative(workspaceRoot, resolve(dirname(built), entry.originalSource));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

/** Names a built module as its author knows it: by its file's name, without the folder it was built into. */
export function withoutCacheFolder(message: string): string {
  return message.replaceAll(/`[^`]*\/cache\/packs\/[0-9a-f]{64}\//gu, '`');
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
  } catch {
    // The place is an extra: without a map the error is told without it.
    return undefined;
  }
}
