// The regex engine that workspaces and packs are given: RE2, whose time is linear in the text.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {RE2JS} from 're2js';

export interface Regex {
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
  /** Replaces each match. */
  replaceAll(text: string, by: string): string;
}

const sourceLengthMax = 1000;

/** `source` is in RE2 syntax: no look-around, no back-references. */
export function compileRegex(source: string): Outcome<Regex, string> {
  if (source.length > sourceLengthMax) return failed(`longer than ${sourceLengthMax} characters`);
  try {
    const regex = RE2JS.compile(source);
    return ok({
      test: (text) => regex.test(text),
      replaceAll: (text, by) => regex.matcher(text).replaceAll(RE2JS.quoteReplacement(by)),
    });
  } catch (error) {
    return failed((error instanceof Error ? error.message : String(error)).replace('error parsing regexp: ', ''));
  }
}
