/** Whether another attempt would fail in the same way: a decision, or records that do not change by themselves. */
export function isFinalFailure({code}: {readonly code: string}): boolean {
  return final.has(code);
}

const final: ReadonlySet<string> = new Set([
  'POLICY_DENIED',
  'SCOPE_DENIED',
  'SPEC_TAMPERED',
  'TASK_NOT_FOUND',
  'INVALID_INPUT',
]);
