// Replaces the runner of a call that was cancelled before one was started.
import type {RunnerWithResources} from '../warm-pool/spare.ts';

/** The exit code of a shell for a command that could not run. */
const exitCode = 126;

export function neverStarted(reason: unknown): RunnerWithResources {
  const startError = `aborted before it was started: ${String(reason)}`;
  return {
    pid: undefined,
    wire: undefined,
    stdout: undefined,
    stderr: undefined,
    ended: Promise.resolve({exitCode, startError}),
    meter: undefined,
    degraded: [],
    network: undefined,
    view: undefined,
    releaseView: () => undefined,
    closeNetwork: async () => undefined,
    kill: () => undefined,
    keepAlive: () => undefined,
    setUpProblem: () => undefined,
  };
}
