// Identifies the author of a call. Scopes, lane and pack never come from here: the kernel reads them from its records.
import type {CallSurface, Person} from '@lumenflow/schemas';
import type {CancelSignal} from '../dispatch/cancel-signal.ts';
import type {DispatchRequest} from '../ports.ts';

export type Surface = CallSurface;

export interface ExecutionContext {
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
  /** The person or program that makes the call, authenticated by the surface; default the task's claimant. */
  readonly by?: string;
  /** Who `by` is, if the surface has seen the person sign in. */
  readonly person?: Person | undefined;
  /** The surface that received the call, for the record; default `api`. */
  readonly surface?: Surface;
  /** Whether the surface has authenticated the principal as an operator of the workspace. */
  readonly is_operator?: boolean;
  /** For policy rules and the record; grants nothing. */
  readonly execution_metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Discards all writes of the call and of calls that it makes, and returns them in `metadata.changes` of its output. */
  readonly dry_run?: boolean;
  /** The approval of the program that makes the call, as `requestApproval` returned it: it permits the tools that it names. */
  readonly program_approval?: string | undefined;
  readonly signal?: CancelSignal;
  onProgress?(payload: unknown): void;
  /** Receives the handler's log lines. */
  onLog?(entry: Parameters<DispatchRequest['onLog']>[0]): void;
}
