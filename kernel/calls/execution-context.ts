// Whose call it is. Scopes, lane and pack never come from here: the kernel takes them from what is stored.
import type {CancelSignal} from '../cancel-signal.ts';
import type {DispatchRequest} from '../ports.ts';

export type Surface = 'agent' | 'api' | 'cli' | 'http' | 'mcp';

export interface ExecutionContext {
  readonly task_id: string;
  readonly run_id: string;
  readonly session_id: string;
  /** Who makes the call, as the surface has made sure; default who claimed the task. */
  readonly by?: string;
  /** Where the call came in, for the record; default `api`. */
  readonly surface?: Surface;
  /** The surface knows the caller for an operator of the workspace. */
  readonly is_operator?: boolean;
  /** For policy rules and the record; grants nothing. */
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  /** Whatever the call writes is discarded, and told in `metadata.changes` of its output. So it is for calls that it makes. */
  readonly dry_run?: boolean;
  readonly signal?: CancelSignal;
  onProgress?(payload: unknown): void;
  /** Hears the handler's log lines as they are kept. */
  onLog?(entry: Parameters<DispatchRequest['onLog']>[0]): void;
}
