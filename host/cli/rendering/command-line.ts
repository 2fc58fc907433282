// Builds a command line that repeats something with the same arguments.
import {quoted} from './quoted.ts';

/** A placeholder to replace. Shells reject it as it is. */
export const someoneElse = '<you>';

/** `lumenflow tools call file:write path=a --task T`, in the same workspace. */
export function commandLine(words: readonly string[], options: Readonly<Record<string, string | undefined>>): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value === someoneElse ? value : quoted(value)],
  );
  return ['lumenflow', ...words.map(quoted), ...flags].join(' ');
}
