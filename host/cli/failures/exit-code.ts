// The program's exit codes. `evidence verify` has its own table, which follows the verifier's contract.

export const exitCode = {
  ok: 0,
  /** The operation failed or was denied. */
  failed: 1,
  /** The command line is invalid, or the workspace cannot be used. */
  usage: 2,
  /** The call, claim or completion needs approval. */
  approvalRequired: 3,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const;

/** Exit code of an invalid command line, by command: `lumenflow evidence verify` uses 2 for tampered evidence. */
export function usageExitCodeOf(command: string): number {
  return command === 'lumenflow evidence verify' ? exitCode.failed : exitCode.usage;
}

/** Error codes of a workspace that cannot be used. */
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
