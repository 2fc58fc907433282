// What every tidy rule takes and gives: files as text, and findings that name file and line. Rules read no disk, so each can be shown a bad example.

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Finding {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** One line a finding, as a compiler would print it. */
export function report(findings: readonly Finding[]): readonly string[] {
  return findings.map(({path, line, message}) => `${path}:${line} ${message}`);
}

/** The line, counted from 1, of the character at this offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

const sourceExtension = /\.(ts|tsx|mts|cts|js|mjs|cjs|jsx)$/;

export function isSource(path: string): boolean {
  return sourceExtension.test(path) && !path.includes('/generated/');
}

/** A test beside the code, or what such tests share. */
export function isTestCode(path: string): boolean {
  return path.endsWith('.test.ts') || path.endsWith('.fixture.ts');
}

/** Fixtures are inputs of tests: some break the rules on purpose. */
export function isFixture(path: string): boolean {
  return path.split('/').includes('fixtures');
}
