// The command line that does something again, with what it was given.
import {quoted} from './quoted.ts';

/** `lumenflow tools call file:write path=a --task T`, in the same workspace. */
export function commandLine(words: readonly string[], options: Readonly<Record<string, string | undefined>>): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return ['lumenflow', ...words.map(quoted), ...flags].join(' ');
}
