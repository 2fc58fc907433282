// The request that starts a session's loop.
import type {ExecutionContext, KernelRuntime} from '@lumenflow/kernel';
import type {AgentEvent} from './agent-event.ts';
import type {SessionView} from '@lumenflow/schemas/agent-session';

export type SessionContext = Pick<ExecutionContext, 'task_id' | 'run_id' | 'session_id'>;

export interface AgentSession {
  readonly context: SessionContext;
  readonly view: SessionView;
}

export interface AgentLoopRequest {
  readonly runtime: KernelRuntime;
  readonly session: AgentSession;
  readonly signal?: AbortSignal | undefined;
  onEvent?(event: AgentEvent): void;
  /** Asks a person immediately; the call is repeated when the request is resolved. Without it the session waits. */
  readonly askApproval?: AskApproval | undefined;
}

export type AskApproval = (request: {
  readonly request_id: string;
  readonly tool_name: string;
  readonly input: unknown;
}) => Promise<'resolved' | 'later'>;
