// Formats rules, filters and strings in Apple's sandbox profile language (SBPL).

export interface Rule {
  readonly action: 'allow' | 'deny';
  readonly operations: readonly string[];
  /** One matching filter is enough; a rule without filters applies to everything. */
  readonly filters: readonly string[];
}

export function ruleText({action, operations, filters}: Rule): string {
  const head = `(${action} ${operations.join(' ')}`;
  return filters.length === 0 ? `${head})` : [head, ...filters.map((filter) => `  ${filter}`)].join('\n') + ')';
}

export function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

/** The path and all below it. */
export function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

export function regex(pattern: string): string {
  return `(regex ${quoted(pattern)})`;
}

export function all(filters: readonly string[]): string {
  return `(require-all ${filters.join(' ')})`;
}

export function any(filters: readonly string[]): string {
  return filters.length === 1 ? filters.join('') : `(require-any ${filters.join(' ')})`;
}

export function not(filter: string): string {
  return `(require-not ${filter})`;
}

/** Text with control characters is not supported here: see `inexpressiblePath`. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The first path that a profile cannot contain; undefined if there is none. */
export function inexpressiblePath(paths: readonly string[]): string | undefined {
  // The last two match bytes that are not text.
  return paths.find((path) => /[\x00-\x1f\x7f\ufffd]|\p{Surrogate}/u.test(path));
}
