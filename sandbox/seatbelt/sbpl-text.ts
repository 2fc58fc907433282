// How rules, filters and strings are written in Apple's sandbox profile language (SBPL).

export interface Rule {
  readonly action: 'allow' | 'deny';
  readonly operations: readonly string[];
  /** One that matches is enough; without any, the rule is for everything. */
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

/** Text with control characters cannot be written here: see `inexpressiblePath`. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The first path that cannot be written into a profile, undefined when all can. */
export function inexpressiblePath(paths: readonly string[]): string | undefined {
  // The last two match bytes that are not text.
  return paths.find((path) => /[\x00-\x1f\x7f\ufffd]|\p{Surrogate}/u.test(path));
}
