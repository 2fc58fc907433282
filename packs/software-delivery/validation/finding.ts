// What a validation finds wrong, and where.
export interface Finding {
  /** Upper-case words, to filter by. */
  readonly code: string;
  readonly severity: 'error' | 'warn';
  /** `path`, `path:line` or `path:line:column`. */
  readonly where: string;
  readonly message: string;
}

export interface Validation {
  /** No error; there may be warnings. */
  readonly valid: boolean;
  /** Files that were looked at. */
  readonly checked: number;
  readonly findings: readonly Finding[];
}

export function validationOf(checked: number, findings: readonly Finding[]): Validation {
  return {valid: findings.every(({severity}) => severity !== 'error'), checked, findings};
}

/** The 1-based line where two texts part. */
export function firstDifference(expected: string, actual: string): number {
  const lines = actual.split('\n');
  const at = expected.split('\n').findIndex((line, index) => line !== lines[index]);
  return (at < 0 ? expected.split('\n').length : at) + 1;
}

export function error(where: string, code: string, message: string): Finding {
  return {code, severity: 'error', where, message};
}

export function warn(where: string, code: string, message: string): Finding {
  return {code, severity: 'warn', where, message};
}
