// The command line that does something again, with what it was given.
import {quoted} from './quoted.ts';

/** To be replaced by whoever copies the command: no shell takes it as it is. */
export const someoneElse = '<you>';

/** `lumenflow tools call file:write path=a --task T`, in the same workspace. */
export function commandLine(words: readonly string[], options: Readonly<Record<string, string | undefined>>): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value === someoneElse ? value : quoted(value)],
  );
  return ['lumenflow', ...words.map(quoted), ...flags].join(' ');
}
