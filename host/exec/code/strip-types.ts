// TypeScript as JavaScript: types are removed, not checked.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';
import type {Message} from 'esbuild';
import {SourceMap, type SourceMapPayload} from 'node:module';
import type {PositionOf} from './user-frames.ts';

export interface Script {
  readonly code: string;
  /** Lines of the script can differ from those of its source. */
  readonly positionOf: PositionOf;
}

/** Code is the body of an async function. */
const head = 'async () => {';
const tail = /\};?\s*$/u;

export async function stripTypes(source: string): Promise<Outcome<Script, ToolFailure>> {
  const {transform} = await import('esbuild');
  try {
    const {code, map} = await transform(`${head}${source}\n}`, {
      loader: 'ts',
      target: 'esnext',
      logLevel: 'silent',
      sourcemap: 'external',
      sourcesContent: false,
      tsconfigRaw: {compilerOptions: {verbatimModuleSyntax: true}},
    });
    if (!code.startsWith(head)) return failed(invalid('it is not the body of one function', 1));
    return ok({code: code.slice(head.length).replace(tail, ''), positionOf: positionsOf(map)});
  } catch (error) {
    const [first] = (error as {readonly errors?: readonly Message[]}).errors ?? [];
    if (first === undefined) throw error;
    return failed(invalid(first.text, first.location?.line ?? 1));
  }
}

/** The map is read when an error needs it. Its positions count from 0 and include the head. */
function positionsOf(map: string): PositionOf {
  const headIn = (line: number): number => (line === 1 ? head.length : 0);
  return (line, column) => {
    const found = new SourceMap(JSON.parse(map) as SourceMapPayload).findEntry(line - 1, column - 1 + headIn(line));
    if (!('originalLine' in found)) return [line, column];
    const original = found.originalLine + 1;
    return [original, Math.max(1, found.originalColumn + 1 - headIn(original))];
  };
}

function invalid(reason: string, line: number): ToolFailure {
  const message = `the code is not valid TypeScript: ${reason} (line ${line})`;
  return {code: 'INVALID_INPUT', message, details: {line}};
}
