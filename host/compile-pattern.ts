// Compiles a pattern for the sandbox: a test of paths relative to the workspace.
import {compileMatcher, parsePattern} from '@lumenflow/kernel/adapters';

/** An invalid pattern matches nothing. */
export function compilePattern(pattern: string): (path: string) => boolean {
  const parsed = parsePattern(pattern);
  return parsed.ok ? compileMatcher(parsed.value) : () => false;
}
