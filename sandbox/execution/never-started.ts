// In place of a runner, for a call that was cancelled before one was started.
import type {SpareRunner} from '../warm-pool/spare.ts';

/** As a shell has it for a command that could not be run. */
const exitCode = 126;

export function neverStarted(reason: unknown): SpareRunner {
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
