// Whose call it is. Scopes, lane and pack never come from here: the kernel takes them from what is stored.
import type {CancelSignal} from '../cancel-signal.ts';

export interface ExecutionContext {
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
  /** For policy rules and the record; grants nothing. */
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  readonly signal?: CancelSignal;
  onProgress?(payload: unknown): void;
}
