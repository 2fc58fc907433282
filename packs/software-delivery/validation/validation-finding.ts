// A finding of a validation, with its place.
export interface ValidationFinding {
  /** Upper-case words, for filtering. */
  readonly code: string;
  readonly severity: 'error' | 'warn';
  /** `path`, `path:line` or `path:line:column`. */
  readonly where: string;
  readonly message: string;
}

export interface Validation {
  /** True if there are no errors; warnings are possible. */
  readonly valid: boolean;
  /** Number of files checked. */
  readonly checked: number;
  readonly findings: readonly ValidationFinding[];
}

export function validationOf(checked: number, findings: readonly ValidationFinding[]): Validation {
  return {valid: findings.every(({severity}) => severity !== 'error'), checked, findings};
}

/** The 1-based line of the first difference. */
export function firstDifference(expected: string, actual: string): number {
  const lines = actual.split('\n');
  const at = expected.split('\n').findIndex((line, index) => line !== lines[index]);
  return (at < 0 ? expected.split('\n').length : at) + 1;
}

export function error(where: string, code: string, message: string): ValidationFinding {
  return {code, severity: 'error', where, message};
}

export function warn(where: string, code: string, message: string): ValidationFinding {
  return {code, severity: 'warn', where, message};
}
