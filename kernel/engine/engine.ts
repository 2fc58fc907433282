// The port of workflow engines. An engine decides when a durable run continues, and on which worker. What a run has done is in the
// kernel's log, which decides what happens next: an engine cannot repeat a recorded call, and cannot approve one.

import type {CancelSignal} from '../dispatch/cancel-signal.ts';

/** Where a run is, while its engine has something left to do for it. */
export interface EngineRun {
  /** parked: too many attempts failed; `start` tries again. */
  readonly state: 'queued' | 'running' | 'waiting' | 'parked';
  /** The requests of a run that waits. */
  readonly waits_for?: readonly string[];
  /** Why the run is parked. */
  readonly reason?: string;
  /** When the run was parked, if the engine has recorded it: UTC, ISO 8601. */
  readonly since?: string;
}

export interface Engine {
  /** For people. */
  readonly name: string;
  /** Makes a worker advance the run. Resolves once this is durable. False: the engine has the run already, and nothing changes. */
  start(run_id: string): Promise<boolean>;
  /**
   * Reports that these requests of a waiting run are answered. Once all are, the run is advanced. False: the run does not wait for any of
   * them, at least not yet.
   */
  signal(run_id: string, answered: readonly string[]): Promise<boolean>;
  /** Undefined: the engine has nothing to do for the run, because it was never started, ended or was cancelled. */
  query(run_id: string): Promise<EngineRun | undefined>;
  /** Like `query`, once a run that was started is neither queued nor running. Rejects with the signal's reason if that is aborted. */
  wait(run_id: string, signal?: CancelSignal): Promise<EngineRun | undefined>;
  /**
   * Ends the engine's work for the run, also during an attempt. A parked run is not parked afterwards, and `start` tries it again. Its records
   * stay as they are.
   */
  cancel(run_id: string): Promise<void>;
  /** Also aborts and awaits the attempts in this process. */
  close(): Promise<void>;
}

/** over: nothing remains to be done. waiting: for answers to these requests. later: something prevents it that passes. */
export type RunProgress =
  | {readonly state: 'over'}
  | {readonly state: 'waiting'; readonly waits_for: readonly string[]}
  | {readonly state: 'later'; readonly reason: string};

/** What an engine drives. Both functions decide by the kernel's log, so an engine may repeat them. */
export interface EngineWork {
  /**
   * Continues the run from its records until it ends or waits. An engine does not call it twice at a time for one run. Rejects if the
   * attempt failed: the engine retries it, up to a bound, or parks the run at once if the error is final.
   */
  advance(run_id: string, signal: CancelSignal): Promise<RunProgress>;
  /** The same from the records alone. later: the run is neither over nor waiting. Undefined: there is no such run. */
  read(run_id: string): Promise<RunProgress | undefined>;
}

/** Whether another attempt would fail in the same way as the one that rejected with this error, such as one that policy denied. */
export function isFinalError(error: unknown): boolean {
  return error instanceof Error && 'is_final' in error && error.is_final === true;
}

/** Advances the runs that an engine gives it. */
export interface EngineWorker {
  /** Accepts no further run, and finishes those that are being advanced. */
  close(): Promise<void>;
}
