// Compiles a search pattern to a function of one line. Literal text is the default. Regular expressions use RE2, which runs in
// linear time, so a pattern cannot block the shared thread.
import {ToolError} from '@lumenflow/pack-sdk';
import {RE2JS} from 're2js';

export interface SearchPattern {
  readonly pattern: string;
  readonly regex?: boolean;
  readonly ignore_case?: boolean;
}

/** The index of the first match in a line, or -1. */
export type FindInLine = (line: string) => number;

/** Throws ToolError INVALID_PATTERN. */
export function compilePattern({pattern, regex, ignore_case: ignoreCase}: SearchPattern): FindInLine {
  if (regex === true) {
    const compiled = compileRegex(pattern, ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => {
      const matcher = compiled.matcher(line);
      return matcher.find() ? matcher.start() : -1;
    };
  }
  if (ignoreCase !== true) return (line) => line.indexOf(pattern);
  const literal = new RegExp(pattern.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`), 'iu');
  return (line) => line.search(literal);
}

function compileRegex(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ToolError('INVALID_PATTERN', `\`${pattern}\` is not an RE2 regular expression: ${message}`, {pattern});
  }
}
