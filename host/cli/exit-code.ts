// What the program's exit code says. `evidence verify` has a table of its own, after the verifier's contract.

export const exitCode = {
  ok: 0,
  /** The operation failed or was denied. */
  failed: 1,
  /** The command line is wrong, or the workspace cannot be used. */
  usage: 2,
  /** The call, claim or completion waits for a person's approval. */
  approvalRequired: 3,
  /** Ended by Ctrl-C. */
  interrupted: 130,
} as const;

/** Of a wrong command line, by the command's name: `lumenflow evidence verify` says with 2 that evidence was tampered with. */
export function usageExitCodeOf(command: string): number {
  return command === 'lumenflow evidence verify' ? exitCode.failed : exitCode.usage;
}

/** Codes that say that the workspace cannot be used at all. */
const workspaceCodes: ReadonlySet<string> = new Set([
  'LOAD_FAILED',
  'WORKSPACE_NOT_FOUND',
  'SPEC_TAMPERED',
  'LOG_CORRUPT',
  'LOG_UNAVAILABLE',
  'LOCK_UNAVAILABLE',
]);

export function exitCodeOf(errorCode: string): number {
  if (errorCode === 'APPROVAL_REQUIRED' || errorCode === 'CHANGES_PARKED') return exitCode.approvalRequired;
  return workspaceCodes.has(errorCode) ? exitCode.usage : exitCode.failed;
}
