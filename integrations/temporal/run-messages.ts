// What the client, the workflow and the activity exchange. It contains ids of runs and requests, and no inputs or outputs: these stay in
// the workspace. The workflow's bundle contains this file, so it imports types only.
import type {RetryOptions} from './retry-options.ts';

export const workflowType = 'runWorkflow';
export const answeredSignal = 'answered';

export interface RunInput {
  readonly run_id: string;
  readonly retry: Required<RetryOptions>;
  /** How many waits a run had that continues as a new execution. */
  readonly waits?: number;
  /** How many attempts in a row found that something prevents the run. */
  readonly laters?: number;
}

/** The memo of an execution, which is readable without a worker. */
export interface RunMemo {
  /** The wait that the run is in. */
  readonly wait?: RunWait | null;
}

export interface RunWait {
  readonly number: number;
  readonly requests: readonly string[];
}

/** A reason is shown to people. The cause itself is in the workspace's log. */
const reasonMax = 2_000;

export function shortened(reason: string): string {
  return reason.length > reasonMax ? `${reason.slice(0, reasonMax)} …` : reason;
}
