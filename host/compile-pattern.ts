// A pattern as the sandbox wants it: a test of paths relative to the workspace.
import {compileMatcher, parsePattern} from '@lumenflow/kernel';

/** A pattern that cannot be read matches nothing. */
export function compilePattern(pattern: string): (path: string) => boolean {
  const parsed = parsePattern(pattern);
  return 'patterns' in parsed ? compileMatcher(parsed.patterns) : () => false;
}
